#include "report/html_table.h"

namespace tune::report {

namespace {

Attributes with_class(Attributes attributes, const std::string& name) {
  if (!name.empty()) {
    attributes.emplace_back("class", name);
  }
  return attributes;
}

std::string align_class(const RankedTable::Column& column) {
  return column.align == RankedTable::Align::right ? "number" : "";
}

}  // namespace

Markup html_table(const HtmlTable& table) {
  Markup html;
  html.open(
      "div",
      {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", table.caption}});
  html.open("table").line().leaf("caption", table.caption).line();
  html.open("thead").open("tr");
  for (const auto& column : table.columns) {
    html.leaf("th", column.name, with_class({{"scope", "col"}}, align_class(column)));
  }
  html.close().close().line().open("tbody").line();
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    html.open("tr", with_class({}, i < table.row_classes.size() ? table.row_classes[i] : ""));
    const auto& row = table.rows[i];
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string align = align_class(table.columns.at(column));
      if (column == table.heading) {
        html.leaf("th", row[column], with_class({{"scope", "row"}}, align));
      } else {
        html.leaf("td", row[column], with_class({}, align));
      }
    }
    html.close().line();
  }
  html.close().close().close().line();
  return html;
}

Markup paragraph(const std::string& text, const std::string& css_class) {
  Markup html;
  html.leaf("p", text, with_class({}, css_class)).line();
  return html;
}

}  // namespace tune::report
