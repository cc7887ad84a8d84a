#include "report/html_page.h"

#include "report/page_shell.h"
#include "report/palette.h"
#include "report/script_hash.h"
#include "report/templates.h"

namespace tune::report {

std::string html_page(const std::string& title,
                      const std::string& tune_version,
                      const Markup& body) {
  return fill_shell(kReportShellHtml,
                    {{"title", escape_markup(one_line(title))},
                     {"generator", escape_markup("tune " + one_line(tune_version))},
                     {"palette", palette_css()},
                     {"style", std::string(kReportStyleCss)},
                     {"script_hash", script_hash(kReportScriptJs)},
                     {"script", std::string(kReportScriptJs)},
                     {"body", body.finished()}});
}

}  // namespace tune::report
