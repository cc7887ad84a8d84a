#include "trace/reader/mend.h"

#include "trace/reader/text_window.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <string_view>

namespace tune::profile {

namespace {

// Bytes of the first character of `text` (1-4), or 0 when it does not begin with valid UTF-8
// (RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF). `text` is not empty.
inline std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) {
    return 1;
  }
  if (first >= 0xc2 && first <= 0xdf) {
    return continues(1) ? 2 : 0;
  }
  if (first >= 0xe0 && first <= 0xef) {
    const bool is_overlong = first == 0xe0 && byte(1) < 0xa0;
    const bool is_surrogate = first == 0xed && byte(1) >= 0xa0;
    return !is_overlong && !is_surrogate && continues(1) && continues(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool is_overlong = first == 0xf0 && byte(1) < 0x90;
    const bool is_beyond = first == 0xf4 && byte(1) >= 0x90;
    return !is_overlong && !is_beyond && continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_hexadecimal(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_json_number(std::string_view word) {
  std::size_t at = word.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < word.size() && word[at] >= '0' && word[at] <= '9') {
      ++at;
    }
    return at > first;
  };
  const std::size_t whole = at;
  if (!digits() || (word[whole] == '0' && at - whole > 1)) {
    return false;
  }
  if (at < word.size() && word[at] == '.') {
    ++at;
    if (!digits()) {
      return false;
    }
  }
  if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
    ++at;
    at += at < word.size() && (word[at] == '-' || word[at] == '+') ? 1 : 0;
    if (!digits()) {
      return false;
    }
  }
  return at == word.size();
}

// Reads leniently from left to right and writes JSON. The stack says what is open and what is next.
class Mender {
 public:
  Mender(std::string_view text, bool is_last) : text_(text), is_last_(is_last) {
    mended_.json.reserve(text.size() + text.size() / 8);
  }

  Mended run() {
    while (at_ < text_.size() && mended_.outcome == Mended::Outcome::hopeless && !is_stuck_) {
      step();
      if (needs_more_) {
        break;
      }
    }
    if (mended_.outcome == Mended::Outcome::hopeless && !is_stuck_) {
      mended_.outcome = Mended::Outcome::more;
    }
    mended_.used = at_;
    return std::move(mended_);
  }

 private:
  struct Level {
    bool is_object = false;
    bool after_colon = false;  // of an object: a value is next
    bool has_member = false;
  };

  void step() {
    const char c = text_[at_];
    if (is_space(c) || c == ',' || c == ':') {  // written again where they belong
      open_.empty() ? is_stuck_ = true : ++at_;
    } else if (c == '{' || c == '[') {
      open(c);
    } else if (c == '}' || c == ']') {
      close(c);
    } else if (c == '"') {
      read_text();
    } else {
      read_word();
    }
  }

  // Before a value or a key.
  void separate() {
    if (open_.empty()) {
      return;
    }
    Level& level = open_.back();
    if (level.after_colon) {
      level.after_colon = false;
    } else if (level.has_member) {
      mended_.json += ',';
    }
    level.has_member = true;
  }

  void open(char c) {
    if (!open_.empty() && open_.back().is_object && !open_.back().after_colon) {
      is_stuck_ = true;  // a value without a key
      return;
    }
    separate();
    if (open_.size() >= static_cast<std::size_t>(ValueScanner::kDeepest)) {
      mended_.outcome = Mended::Outcome::too_deep;
      return;
    }
    open_.push_back({.is_object = c == '{'});
    mended_.json += c;
    ++at_;
  }

  void close(char c) {
    if (open_.empty() || open_.back().is_object != (c == '}')) {
      is_stuck_ = true;
      return;
    }
    if (open_.back().after_colon) {
      mended_.json += "null";
      note(NoteKind::not_a_number);
    }
    mended_.json += c;
    ++at_;
    open_.pop_back();
    if (open_.empty()) {
      mended_.outcome = Mended::Outcome::done;
    }
  }

  void read_word() {
    const std::size_t begin = at_;
    std::size_t end = begin;
    while (end < text_.size() && !is_space(text_[end]) &&
           std::string_view(",:}]\"{[").find(text_[end]) == std::string_view::npos) {
      ++end;
    }
    if (end == text_.size() && !is_last_) {
      needs_more_ = true;
      return;
    }
    if (open_.empty() || (open_.back().is_object && !open_.back().after_colon)) {
      is_stuck_ = true;  // a key without quotes
      return;
    }
    const std::string_view word = text_.substr(begin, end - begin);
    separate();
    if (word == "true" || word == "false" || word == "null" || is_json_number(word)) {
      mended_.json += word;
    } else {
      mended_.json += "null";
      note(NoteKind::not_a_number);
    }
    at_ = end;
  }

  void read_text() {
    if (open_.empty()) {
      is_stuck_ = true;
      return;
    }
    const bool is_key = open_.back().is_object && !open_.back().after_colon;
    const std::size_t end = end_of_text(at_ + 1, is_key);
    if (end == std::string_view::npos) {
      needs_more_ = !is_stuck_;
      return;
    }
    separate();
    write_text(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    if (is_key) {
      mended_.json += ':';
      open_.back().after_colon = true;
    }
  }

  // The quote that ends the text that begins at `from`; npos when it has not been read yet.
  std::size_t end_of_text(std::size_t from, bool is_key) {
    bool has_quote_inside = false;
    for (std::size_t i = from; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == '"') {
        if (ends_text(i + 1, is_key)) {
          if (has_quote_inside) {
            note(NoteKind::unescaped_quote);
          }
          return i;
        }
        is_stuck_ = is_key && !needs_more_;
        if (needs_more_ || is_stuck_) {
          return std::string_view::npos;
        }
        has_quote_inside = true;
      }
    }
    return std::string_view::npos;
  }

  std::size_t skip_space(std::size_t from) const {
    while (from < text_.size() && is_space(text_[from])) {
      ++from;
    }
    return from;
  }

  bool ends_text(std::size_t behind, bool is_key) {
    const std::size_t next = skip_space(behind);
    if (next == text_.size()) {
      needs_more_ = !is_last_;
      return false;
    }
    const char c = text_[next];
    if (is_key) {
      return c == ':';
    }
    if (!open_.back().is_object) {
      return c == ',' || c == ']';
    }
    return c == '}' || (c == ',' && is_key_at(skip_space(next + 1)));
  }

  // True when a key and its colon begin here. A bracket is taken for a comma too many.
  bool is_key_at(std::size_t from) {
    if (from < text_.size() && text_[from] == '}') {
      return true;
    }
    if (from < text_.size() && text_[from] != '"') {
      return false;
    }
    const std::size_t quote = text_.find('"', std::min(from + 1, text_.size()));
    const std::size_t next = quote == std::string_view::npos ? text_.size() : skip_space(quote + 1);
    if (next == text_.size()) {
      needs_more_ = !is_last_;
      return false;
    }
    return text_[next] == ':';
  }

  void write_text(std::string_view text) {
    mended_.json += '"';
    for (std::size_t i = 0; i < text.size();) {
      i += write_character(text.substr(i));
    }
    mended_.json += '"';
  }

  // Writes the first character and says how many bytes it took.
  std::size_t write_character(std::string_view text) {
    const char c = text[0];
    if (c == '\\') {
      return write_escape(text);
    }
    if (c == '"') {
      mended_.json += "\\\"";
      return 1;
    }
    if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> escaped{};
      std::snprintf(escaped.data(), escaped.size(), "\\u%04x", static_cast<unsigned>(c));
      mended_.json += escaped.data();
      note(NoteKind::control_character);
      return 1;
    }
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      mended_.json += "\xef\xbf\xbd";
      note(NoteKind::invalid_utf8);
      return 1;
    }
    mended_.json += text.substr(0, length);
    return length;
  }

  std::size_t write_escape(std::string_view text) {
    constexpr std::string_view kKnown = "\"\\/bfnrt";
    if (text.size() >= 2 && kKnown.find(text[1]) != std::string_view::npos) {
      mended_.json += text.substr(0, 2);
      return 2;
    }
    constexpr std::size_t kUnicode = 6;  // \u0041
    if (text.size() >= kUnicode && text[1] == 'u' &&
        std::all_of(text.begin() + 2, text.begin() + kUnicode, is_hexadecimal)) {
      mended_.json += text.substr(0, kUnicode);
      return kUnicode;
    }
    mended_.json += "\\\\";
    note(NoteKind::wrong_escape);
    return 1;
  }

  void note(NoteKind kind) {
    if (std::find(mended_.repairs.begin(), mended_.repairs.end(), kind) == mended_.repairs.end()) {
      mended_.repairs.push_back(kind);
    }
  }

  std::string_view text_;
  bool is_last_ = false;
  std::size_t at_ = 0;
  std::vector<Level> open_;
  bool needs_more_ = false;
  bool is_stuck_ = false;
  Mended mended_;
};

}  // namespace

Mended mend(std::string_view text, bool is_last) {
  return Mender(text, is_last).run();
}

std::size_t find_event(std::string_view text) {
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    std::size_t key = at + 1;
    while (key < text.size() && is_space(text[key])) {
      ++key;
    }
    for (const std::string_view first : {"\"ph\"", "\"name\"", "\"cat\""}) {
      if (text.substr(key, first.size()) == first) {
        return at;
      }
    }
  }
  return std::string_view::npos;
}

}  // namespace tune::profile
