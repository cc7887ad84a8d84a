#include "scenario/set_in_section.h"

#include "base/error.h"
#include "scenario/read_yaml.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::scenario {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

std::size_t offset_of(const std::string& text, Mark mark) {
  std::size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (std::int64_t line = 1; line < mark.line && at < text.size(); ++line) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  return std::min(at + static_cast<std::size_t>(mark.column) - 1, text.size());
}

namespace {

bool is_space(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
}

bool is_quote(char letter) {
  return letter == '"' || letter == '\'';
}

// A word that no reader of YAML takes for anything else, 1.1 included.
bool is_plain(const std::string& text) {
  static constexpr std::array<std::string_view, 11> kOthers = {
      "true", "false", "null", "yes", "no", "on", "off", "y", "n", "inf", "nan"};
  std::string lower;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) == 0 && letter != '_' && letter != '-' && letter != '.') {
      return false;
    }
    lower += static_cast<char>(std::tolower(byte));
  }
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::find(kOthers.begin(), kOthers.end(), lower) == kOthers.end();
}

std::string between(const std::string& text, std::string_view quote) {
  std::string quoted(quote);
  quoted += text;
  quoted += quote;
  return quoted;
}

// Numbers and flags are never quoted; a text is where its neighbours are, or where it must be.
std::string written(const trial::KnobValue& value, std::string_view quote) {
  std::string text = trial::to_text(value);
  if (!std::holds_alternative<std::string>(value)) {
    return text;
  }
  return between(text, quote.empty() && !is_plain(text) ? "\"" : quote);
}

std::optional<std::size_t> place_of(const YamlNode& map, const std::string& key) {
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    if (map.keys[i].name == key) {
      return i;
    }
  }
  return std::nullopt;
}

/// One change of one text, at the places that the reader's marks give.
class Surgery {
 public:
  Surgery(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)) {
    lines_.push_back(0);
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '\n') {
        lines_.push_back(i + 1);
      }
    }
    const std::size_t first = text_.find('\n');
    line_end_ = first != std::string::npos && first > 0 && text_[first - 1] == '\r' ? "\r\n" : "\n";
  }

  std::string set(const YamlNode& root, const SectionEntry& entry) const {
    const auto section = place_of(root, entry.section);
    if (!section) {
      return add_section(root, entry);
    }
    const YamlNode& map = root.items[*section];
    if (map.kind == YamlNode::Kind::null) {
      return fill_in(root.keys[*section], "{" + pair_text(entry, "") + "}");
    }
    if (map.kind != YamlNode::Kind::map) {
      refuse(map.mark, "the section holds no keys", "it is " + to_text(map.kind));
    }
    const auto key = place_of(map, entry.key);
    if (!key) {
      return add_key(map, entry);
    }
    const YamlNode& old = map.items[*key];
    if (old.kind == YamlNode::Kind::null) {
      return fill_in(map.keys[*key], written(entry.value, ""));
    }
    refuse_nested(old);
    const std::size_t begin = offset(old.mark);
    const std::size_t end = end_of_scalar(old.mark, old.text);
    return splice(begin, end, written(entry.value, quote_at(begin)));
  }

 private:
  /// A map or list in brackets.
  struct Brackets {
    std::size_t close = 0;
    std::size_t content_end = 0;  ///< past the last character that is neither space nor comment
  };

  [[noreturn]] void refuse(Mark mark, const std::string& problem, const std::string& why) const {
    std::string where = file_;
    for (const std::int64_t number : {mark.line, mark.column}) {
      where += ":";
      where += std::to_string(number);
    }
    throw Error(Error::Parts{where, problem, why, ""});
  }

  void refuse_nested(const YamlNode& node) const {
    if (node.kind == YamlNode::Kind::list || node.kind == YamlNode::Kind::map) {
      refuse(node.mark, "cannot be changed here", "the value is " + to_text(node.kind));
    }
  }

  std::size_t offset(Mark mark) const {
    const auto line = static_cast<std::size_t>(mark.line) - 1;
    const std::size_t at = line < lines_.size()
                               ? lines_[line] + static_cast<std::size_t>(mark.column) - 1
                               : text_.size();
    if (at >= text_.size()) {
      refuse(mark, "cannot be changed here", "its place in the text is not known");
    }
    return at;
  }

  std::string_view quote_at(std::size_t at) const {
    return is_quote(text_[at]) ? std::string_view(text_).substr(at, 1) : std::string_view();
  }

  std::string splice(std::size_t begin, std::size_t end, const std::string& put) const {
    std::string changed = text_.substr(0, begin);
    changed += put;
    changed += text_.substr(end);
    return changed;
  }

  // Past the closing quote; npos when there is none.
  std::size_t end_of_quoted(std::size_t begin) const {
    const char quote = text_[begin];
    for (std::size_t i = begin + 1; i < text_.size(); ++i) {
      if (quote == '"' && text_[i] == '\\') {
        ++i;
      } else if (text_[i] == quote) {
        if (quote == '"' || i + 1 == text_.size() || text_[i + 1] != '\'') {
          return i + 1;
        }
        ++i;  // '' is one quote
      }
    }
    return std::string::npos;
  }

  std::size_t end_of_scalar(Mark mark, const std::string& value) const {
    const std::size_t begin = offset(mark);
    std::size_t end = std::string::npos;
    if (is_quote(text_[begin])) {
      end = end_of_quoted(begin);
    } else if (text_.compare(begin, value.size(), value) == 0) {  // no block: it begins with | or >
      end = begin + value.size();
    }
    if (end == std::string::npos) {
      refuse(mark, "cannot be changed here", "the value is written over several lines");
    }
    return end;
  }

  std::size_t past_colon(const YamlKey& key) const {
    std::size_t at = end_of_scalar(key.mark, key.name);
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) {
      ++at;
    }
    if (at == text_.size() || text_[at] != ':') {
      refuse(key.mark, "cannot be changed here", "no `:` follows the key on its line");
    }
    return at + 1;
  }

  // Where nothing is written, or one of the words for it (which yaml-cpp does not hand on).
  std::string fill_in(const YamlKey& key, const std::string& put) const {
    static constexpr std::array<std::string_view, 4> kNothing = {"~", "null", "Null", "NULL"};
    const std::size_t colon = past_colon(key);
    const std::size_t begin = std::min(text_.find_first_not_of(" \t", colon), text_.size());
    for (const std::string_view word : kNothing) {
      const std::size_t end = begin + word.size();
      const bool is_whole = end >= text_.size() || is_space(text_[end]) || text_[end] == ',' ||
                            text_[end] == '}' || text_[end] == ']';
      if (is_whole && text_.compare(begin, word.size(), word) == 0) {
        return splice(begin, end, put);
      }
    }
    return splice(colon, colon, " " + put);
  }

  static std::string pair_text(const SectionEntry& entry, std::string_view quote) {
    std::string text = between(entry.key, quote);
    text += ": ";
    text += written(entry.value, quote);
    return text;
  }

  // A map's last key shows how the others are written.
  std::string_view quote_of_keys(const YamlNode& map) const {
    return map.keys.empty() ? std::string_view() : quote_at(offset(map.keys.back().mark));
  }

  bool is_in_brackets(const YamlNode& map) const { return text_[offset(map.mark)] == '{'; }

  std::string add_key(const YamlNode& map, const SectionEntry& entry) const {
    const std::string pair = pair_text(entry, quote_of_keys(map));
    return is_in_brackets(map) ? add_in_brackets(map, pair) : add_line(map, pair);
  }

  std::string add_section(const YamlNode& root, const SectionEntry& entry) const {
    const std::string_view quote = quote_of_keys(root);
    std::string pair = between(entry.section, quote);
    pair += ": {";
    pair += pair_text(entry, quote);
    pair += "}";
    if (is_in_brackets(root)) {
      return add_in_brackets(root, pair);
    }
    const auto next = place_of(root, entry.next_section);
    if (!next) {
      std::string problem = "has neither ";
      problem += entry.section;
      problem += " nor ";
      problem += entry.next_section;
      refuse(root.mark, problem, "there is no place for the setting");
    }
    const std::size_t key = offset(root.keys[*next].mark);
    const std::string indent = indent_of(key, root.keys[*next].mark);
    std::size_t at = line_begin(key);
    // Comments right above belong to that section; those at the head of the file to the file.
    while (at > 0) {
      const std::size_t above = line_begin(at - 1);
      if (above == 0 || !is_comment(above)) {
        break;
      }
      at = above;
    }
    return splice(at, at, indent + pair + line_end_);
  }

  std::size_t line_begin(std::size_t at) const {
    return *std::prev(std::upper_bound(lines_.begin(), lines_.end(), at));
  }

  // Before the line's end, which may be \r\n.
  std::size_t line_end(std::size_t at) const {
    const std::size_t end = std::min(text_.find('\n', at), text_.size());
    return end < text_.size() && end > at && text_[end - 1] == '\r' ? end - 1 : end;
  }

  bool is_comment(std::size_t begin) const {
    const std::size_t first = text_.find_first_not_of(" \t", begin);
    return first != std::string::npos && text_[first] == '#';
  }

  // What comes before a key that is the first on its line; nothing when another text does.
  std::optional<std::string> blanks_before(std::size_t key) const {
    const std::size_t begin = line_begin(key);
    const std::string before = text_.substr(begin, key - begin);
    return before.find_first_not_of(" \t") == std::string::npos ? std::optional(before)
                                                                : std::nullopt;
  }

  std::string indent_of(std::size_t key, Mark mark) const {
    auto indent = blanks_before(key);
    if (!indent) {
      refuse(mark, "cannot be changed here", "the key is not the first on its line");
    }
    return std::move(*indent);
  }

  std::string add_line(const YamlNode& map, const std::string& pair) const {
    const YamlKey& key = map.keys.back();
    const YamlNode& last = map.items.back();
    refuse_nested(last);
    const std::size_t end = last.text.empty() && last.kind == YamlNode::Kind::null
                                ? past_colon(key)
                                : end_of_scalar(last.mark, last.text);
    const std::size_t at = line_end(end);
    return splice(at, at, line_end_ + indent_of(offset(key.mark), key.mark) + pair);
  }

  // Quotes and comments may hold brackets.
  Brackets brackets(Mark mark) const {
    const std::size_t open = offset(mark);
    Brackets found{.content_end = open + 1};
    std::size_t depth = 0;
    bool may_begin = true;  // a quote begins a quoted text only where a value or a key begins
    for (std::size_t i = open; i < text_.size();) {
      const char letter = text_[i];
      if (letter == '#' && i > 0 && is_space(text_[i - 1])) {
        i = std::min(text_.find('\n', i), text_.size());
      } else if (is_space(letter)) {
        ++i;
      } else if (is_quote(letter) && may_begin) {
        i = std::min(end_of_quoted(i), text_.size());
        found.content_end = i;
        may_begin = false;
      } else {
        depth += letter == '{' || letter == '[' ? 1 : 0;
        if ((letter == '}' || letter == ']') && --depth == 0) {
          found.close = i;
          return found;
        }
        may_begin = letter == '{' || letter == '[' || letter == ',' || letter == ':';
        found.content_end = ++i;
      }
    }
    refuse(mark, "cannot be changed here", "the end of the map is not found");
  }

  std::string add_in_brackets(const YamlNode& map, const std::string& pair) const {
    const Brackets found = brackets(map.mark);
    const std::size_t open = offset(map.mark);
    const std::size_t end = found.content_end;
    if (map.keys.empty()) {
      return splice(open + 1, open + 1, pair);
    }
    const bool has_comma = text_[end - 1] == ',';
    const std::size_t last = offset(map.keys.back().mark);
    const auto indent = blanks_before(last);
    if (!indent || line_begin(last) <= open) {
      const std::size_t at = has_comma ? end - 1 : end;
      return splice(at, at, ", " + pair);
    }
    std::string line = line_end_ + *indent + pair;  // one setting a line
    const std::size_t behind = line_end(end);
    if (found.close < behind) {
      return splice(end, end, has_comma ? line : "," + line);
    }
    line += has_comma ? "," : "";
    std::string changed = splice(behind, behind, line);  // behind the comment of the last one
    if (!has_comma) {
      changed.insert(end, ",");
    }
    return changed;
  }

  std::string text_, file_, line_end_;
  std::vector<std::size_t> lines_;  // where each begins
};

}  // namespace

std::string set_in_section(const std::string& text,
                           const std::string& file,
                           const SectionEntry& entry) {
  const YamlNode root = read_faultless_yaml(text, file);
  if (!text.starts_with(kByteOrderMark)) {
    return Surgery(text, file).set(root, entry);
  }
  std::string changed(kByteOrderMark);  // marks count from behind it
  changed += Surgery(text.substr(kByteOrderMark.size()), file).set(root, entry);
  return changed;
}

}  // namespace tune::scenario
