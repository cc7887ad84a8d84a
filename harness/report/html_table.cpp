#include "report/html_table.h"

#include "report/number_text.h"

namespace tune::report {

namespace {

Attributes with_class(Attributes attributes, const std::string& name) {
  if (!name.empty()) {
    attributes.emplace_back("class", name);
  }
  return attributes;
}

const std::string& whole_of(const HtmlTable& table, std::size_t row, std::size_t column) {
  static const std::string kNotCut;
  return row < table.wholes.size() && column < table.wholes[row].size() ? table.wholes[row][column]
                                                                        : kNotCut;
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
      const bool is_heading = column == table.heading;
      Attributes attributes = with_class(is_heading ? Attributes{{"scope", "row"}} : Attributes{},
                                         align_class(table.columns.at(column)));
      if (const std::string& whole = whole_of(table, i, column); !whole.empty()) {
        attributes.emplace_back("title", whole);
      }
      html.leaf(is_heading ? "th" : "td", row[column], attributes);
    }
    html.close().line();
  }
  html.close().close().close().line();
  return html;
}

Markup rest_in_json(std::size_t left_out, const std::string& singular) {
  const auto count = static_cast<std::int64_t>(left_out);
  return left_out == 0 ? Markup()
         : left_out == 1
             ? paragraph("One more " + singular + " is in result.json.")
             : paragraph(grouped(count) + " more " + singular + "s are in result.json.");
}

Markup paragraph(const std::string& text, const std::string& css_class) {
  Markup html;
  html.leaf("p", text, with_class({}, css_class)).line();
  return html;
}

}  // namespace tune::report
