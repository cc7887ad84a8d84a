#include "report/html_parts.h"

namespace tune::report {

Markup folded(const std::string& summary, const Markup& inside) {
  Markup html;
  html.open("details").leaf("summary", summary).line().append(inside).close().line();
  return html;
}

Markup preformatted(const std::string& text) {
  Markup html;
  html.open("pre", {{"tabindex", "0"}}).leaf("code", text).close().line();
  return html;
}

Markup tile(const std::string& name, const std::string& value, const std::string& detail) {
  Markup html;
  html.open("div", {{"class", "tile"}}).leaf("dt", name);
  html.leaf("dd", value, {{"class", "value"}}).leaf("dd", detail).close().line();
  return html;
}

Markup bullets(const std::vector<std::string>& lines) {
  Markup html;
  if (lines.empty()) {
    return html;
  }
  html.open("ul").line();
  for (const std::string& line : lines) {
    html.leaf("li", one_line(line)).line();
  }
  html.close().line();
  return html;
}

Markup trust_banner(const std::vector<std::string>& lines) {
  Markup html;
  if (lines.empty()) {
    return html;
  }
  html.open("div", {{"class", "warnings"}}).leaf("h2", "Before you trust the numbers").open("ul");
  for (const std::string& line : lines) {
    html.leaf("li", line);
  }
  html.close().close().line();
  return html;
}

Markup figure(const std::vector<Markup>& drawings, const std::string& caption) {
  Markup html;
  html.open("figure", {{"class", "scroll"}, {"tabindex", "0"}});
  for (const Markup& drawing : drawings) {
    html.append(drawing);
  }
  html.leaf("figcaption", caption).close().line();
  return html;
}

}  // namespace tune::report
