#include "report/markup.h"

#include "base/assert.h"
#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace tune::report {

namespace {

// "Settings, ranked" -> "settings-ranked"
std::string id_of(std::string_view title) {
  std::string id;
  for (const char c : title) {
    const auto code = static_cast<unsigned char>(c);
    if (std::isalnum(code) != 0) {
      id += static_cast<char>(std::tolower(code));
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  return id.ends_with('-') ? id.substr(0, id.size() - 1) : id;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string cut_in_the_middle(const std::string& text, std::size_t limit) {
  std::string line = one_line(text);
  if (shortened(line, limit) == line) {
    return line;
  }
  constexpr std::size_t kTail = 16;
  std::size_t tail = line.size() - kTail;
  while (tail < line.size() && (static_cast<unsigned char>(line[tail]) & 0xc0U) == 0x80) {
    ++tail;  // not within a character
  }
  return shortened(line, limit - kTail - 3) + line.substr(tail);
}

void Markup::start(std::string_view tag, const Attributes& attributes) {
  (text_ += '<') += tag;
  for (const auto& [name, value] : attributes) {
    ((text_ += ' ') += name) += "=\"";
    (text_ += escape_markup(value)) += '"';
  }
}

Markup& Markup::open(std::string_view tag, const Attributes& attributes) {
  start(tag, attributes);
  text_ += '>';
  open_.emplace_back(tag);
  return *this;
}

Markup& Markup::close() {
  TUNE_ASSERT(!open_.empty());
  ((text_ += "</") += open_.back()) += '>';
  open_.pop_back();
  return *this;
}

Markup& Markup::text(std::string_view text) {
  text_ += escape_markup(text);
  return *this;
}

Markup& Markup::leaf(std::string_view tag, std::string_view text, const Attributes& attributes) {
  return open(tag, attributes).text(text).close();
}

Markup& Markup::empty(std::string_view tag, const Attributes& attributes) {
  start(tag, attributes);
  text_ += "/>";
  return *this;
}

Markup& Markup::append(const Markup& other) {
  text_ += other.finished();
  sections_.insert(sections_.end(), other.sections_.begin(), other.sections_.end());
  return *this;
}

Markup& Markup::section(const std::string& title) {
  sections_.push_back({id_of(title), title});
  return open("section", {{"id", sections_.back().id}}).leaf("h2", title).line();
}

Markup& Markup::folded_section(const std::string& title) {
  sections_.push_back({id_of(title), title});
  open("section", {{"id", sections_.back().id}}).open("details", {{"class", "part"}});
  return open("summary").leaf("h2", title).close().line();
}

Markup& Markup::line() {
  text_ += '\n';
  return *this;
}

const std::string& Markup::finished() const {
  TUNE_ASSERT(open_.empty());
  return text_;
}

}  // namespace tune::report
