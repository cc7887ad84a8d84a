#include "report/markdown_page.h"

#include "report/markup.h"

#include <numeric>

namespace tune::report {

namespace {

constexpr std::size_t kHeadingBytes = 100;  // of each section, and the line that it was left out

std::size_t size_of(const std::vector<MarkdownSection>& sections) {
  return std::accumulate(sections.begin(),
                         sections.end(),
                         std::size_t{0},
                         [](std::size_t sum, const MarkdownSection& next) {
                           return sum + next.text.size() + kHeadingBytes;
                         });
}

std::string heading_of(const MarkdownSection& section) {
  if (section.is_folded) {
    return "<details><summary>" + escape_markup(section.heading) + "</summary>\n\n";
  }
  return section.heading.empty() ? "" : "### " + section.heading + "\n\n";
}

}  // namespace

std::string markdown_page(std::vector<MarkdownSection> sections, std::size_t limit_bytes) {
  for (std::size_t i = sections.size() - 2; i > 0 && size_of(sections) > limit_bytes; --i) {
    if (!sections[i].text.empty()) {
      sections[i].text = "Left out, because this page would be too long; it is in report.html.\n";
    }
  }
  std::string page;
  for (const MarkdownSection& section : sections) {
    if (!section.text.empty()) {
      page += page.empty() ? "" : "\n";
      page += heading_of(section);
      page += section.text;
      page += section.is_folded ? "\n</details>\n" : "";
    }
  }
  if (page.size() > limit_bytes) {  // of the two sections that always stay
    page.resize(page.rfind('\n', limit_bytes - 100));
    page += "\n\nThe rest was left out; it is in report.html.\n";
  }
  return page;
}

// A comment must not hold "--" and must end where we end it.
std::string comment_marker(const std::string& scenario) {
  std::string safe;
  for (const char c : shortened(scenario, 100)) {
    const bool is_dash_again = c == '-' && safe.ends_with('-');
    if (c != '<' && c != '>' && !is_dash_again) {
      safe += c;
    }
  }
  while (safe.ends_with('-')) {
    safe.pop_back();
  }
  return "<!-- tune-report: " + safe + " -->\n";
}

}  // namespace tune::report
