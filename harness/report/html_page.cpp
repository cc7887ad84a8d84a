#include "report/html_page.h"

#include "report/html_parts.h"
#include "report/page_shell.h"
#include "report/palette.h"
#include "report/script_hash.h"
#include "report/templates.h"

namespace tune::report {

namespace {

// Its heading alone.
Markup emptied(const Markup& section) {
  Markup html;
  for (const Markup::Place& place : section.sections()) {
    html.section(place.title);
    html.append(paragraph(
        "Left out, because this page would be too large; what it said is in result.json."));
    html.close().line();
  }
  return html;
}

}  // namespace

std::string html_page(const std::string& title,
                      const std::string& tune_version,
                      const Markup& body,
                      const std::string& data) {
  return fill_shell(kReportShellHtml,
                    {{"title", escape_markup(one_line(title))},
                     {"generator", escape_markup("tune " + one_line(tune_version))},
                     {"palette", palette_css()},
                     {"style", std::string(kReportStyleCss)},
                     {"script_hash", script_hash(kReportScriptJs)},
                     {"script", std::string(kReportScriptJs)},
                     {"data", data},
                     {"body", body.finished()}});
}

std::string html_page(const PageParts& parts) {
  Markup body, rest;
  for (const Markup& section : parts.sections) {
    (&section == &parts.sections.front() ? body : rest).append(section);
  }
  body.append(contents(rest.sections())).append(rest);
  return html_page(parts.title, parts.tune_version, body, parts.data);
}

std::string shortened_page(PageParts parts, std::size_t limit_bytes) {
  parts.data.clear();
  std::string page = html_page(parts);
  for (std::size_t i = parts.sections.size(); i-- > 1 && page.size() > limit_bytes;) {
    parts.sections[i] = emptied(parts.sections[i]);
    page = html_page(parts);
  }
  return page;
}

}  // namespace tune::report
