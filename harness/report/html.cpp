#include "report/html.h"

#include "report/html_sections.h"
#include "report/page_shell.h"
#include "report/palette.h"
#include "report/templates.h"

namespace tune::report {

std::string to_html(const campaign::CampaignResult& result) {
  Markup body;
  for (const auto section : {answer_section,
                             change_section,
                             gains_section,
                             confirmation_section,
                             ranking_section,
                             time_section,
                             failures_section,
                             skipped_section,
                             environment_section,
                             method_section,
                             reproduce_section}) {
    body.append(section(result));
  }
  return fill_shell(kReportShellHtml,
                    {{"title", escape_markup("tune report: " + one_line(result.scenario.name))},
                     {"generator", escape_markup("tune " + one_line(result.tune_version))},
                     {"palette", palette_css()},
                     {"style", std::string(kReportStyleCss)},
                     {"body", body.finished()}});
}

}  // namespace tune::report
