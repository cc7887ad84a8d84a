#include "report/html_table.h"

#include "report/number_text.h"
#include "report/render_blocks.h"

namespace tune::report {

Markup html_table(const HtmlTable& table) {
  return to_markup(table);
}

std::string rest_sentence(std::size_t left_out, const std::string& singular) {
  return left_out == 0   ? ""
         : left_out == 1 ? "One more " + singular + " is in result.json."
                         : grouped(static_cast<std::int64_t>(left_out)) + " more " + singular +
                               "s are in result.json.";
}

Markup rest_in_json(std::size_t left_out, const std::string& singular) {
  return left_out == 0 ? Markup() : paragraph(rest_sentence(left_out, singular));
}

Markup paragraph(const std::string& text, const std::string& css_class) {
  Markup html;
  html.leaf("p", text, css_class.empty() ? Attributes{} : Attributes{{"class", css_class}}).line();
  return html;
}

}  // namespace tune::report
