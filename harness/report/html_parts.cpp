#include "report/html_parts.h"

#include <cstddef>
#include <string_view>

namespace tune::report {

Markup folded(const std::string& summary, const Markup& inside) {
  Markup html;
  html.open("details").leaf("summary", summary).line().append(inside).close().line();
  return html;
}

Markup paragraph(const std::string& text, const std::string& css_class) {
  Markup html;
  html.leaf("p", text, css_class.empty() ? Attributes{} : Attributes{{"class", css_class}}).line();
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

Markup contents(const std::vector<Markup::Place>& places) {
  constexpr std::size_t kFewest = 3;
  Markup html;
  if (places.size() < kFewest) {
    return html;
  }
  html.open("nav", {{"class", "contents"}, {"aria-label", "Contents"}}).open("ul").line();
  for (const Markup::Place& place : places) {
    html.open("li").leaf("a", place.title, {{"href", "#" + place.id}}).close().line();
  }
  return html.close().close().line();
}

Markup outside_link(const std::string& address) {
  constexpr std::string_view kScheme = "https://";
  const std::string text = one_line(address);
  const bool is_plain = text.starts_with(kScheme) && text.size() > kScheme.size() &&
                        text.find(' ') == std::string::npos;
  Markup html;
  return is_plain ? html.leaf("a", text, {{"href", text}, {"rel", "noreferrer"}}) : html.text(text);
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
