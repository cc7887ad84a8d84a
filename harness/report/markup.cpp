#include "report/markup.h"

#include "base/assert.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace tune::report {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Length of the UTF-8 sequence at the begin of `text`, or 0 when there is no valid one.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(text[i]) & 0xFFU; };
  const std::uint32_t first = byte(0);
  if (first < 0x80) {
    return 1;
  }
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) {
    return 0;
  }
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) {
      return 0;
    }
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const std::uint32_t smallest = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool is_control = code <= 0x9F || code == 0xFFFE || code == 0xFFFF;
  return code < smallest || code > 0x10FFFF || is_surrogate || is_control ? 0 : length;
}

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

bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return (code < 0x20 && c != '\t' && c != '\n') || code == 0x7F;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    if (text.starts_with("\r\n")) {
      text.remove_prefix(1);
    }
    const std::size_t length = is_control(text.front()) ? 0 : sequence_length(text);
    clean += length == 0 ? kReplacement : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return clean;
}

std::string one_line(std::string_view text) {
  std::string clean = printable(text);
  std::replace_if(
      clean.begin(), clean.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return clean;
}

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

std::string shortened(std::string_view text, std::size_t limit) {
  std::string kept;
  // A character has at most 4 bytes; no need to look at more of a long text.
  const std::string clean = one_line(text.substr(0, 4 * (limit + 1)));
  std::string_view rest = clean;
  for (std::size_t characters = 0; !rest.empty(); ++characters) {
    if (characters == limit) {
      return kept + "...";
    }
    const std::size_t length = sequence_length(rest);
    kept += rest.substr(0, length);
    rest.remove_prefix(length);
  }
  return kept;
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

Markup& Markup::line() {
  text_ += '\n';
  return *this;
}

const std::string& Markup::finished() const {
  TUNE_ASSERT(open_.empty());
  return text_;
}

}  // namespace tune::report
