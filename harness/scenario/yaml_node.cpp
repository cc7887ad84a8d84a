#include "scenario/yaml_node.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace tune::scenario {

const YamlNode* YamlNode::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name == key) {
      return &items[i];
    }
  }
  return nullptr;
}

bool equal_values(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size() ||
      a.keys.size() != b.keys.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    const YamlNode* const other =
        a.kind == YamlNode::Kind::map ? b.find(a.keys[i].name) : &b.items[i];
    if (other == nullptr || !equal_values(a.items[i], *other)) {
      return false;
    }
  }
  return true;
}

YamlNode without_keys(const YamlNode* map, const std::function<bool(const std::string&)>& is_out) {
  YamlNode rest{.kind = YamlNode::Kind::map};
  for (std::size_t i = 0; map != nullptr && i < map->keys.size(); ++i) {
    if (!is_out(map->keys[i].name)) {
      rest.keys.push_back(map->keys[i]);
      rest.items.push_back(map->items[i]);
    }
  }
  return rest;
}

std::string to_text(YamlNode::Kind kind) {
  switch (kind) {
    case YamlNode::Kind::null:
      return "empty";
    case YamlNode::Kind::boolean:
      return "true or false";
    case YamlNode::Kind::whole:
      return "a whole number";
    case YamlNode::Kind::real:
      return "a number";
    case YamlNode::Kind::text:
      return "text";
    case YamlNode::Kind::list:
      return "a list";
    case YamlNode::Kind::map:
      return "a map of keys and values";
  }
  return "";
}

namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    if (text == word) {
      return true;
    }
  }
  return false;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
    ++at;
  }
  return at;
}

std::string_view without_sign(std::string_view text) {
  return !text.empty() && (text.front() == '-' || text.front() == '+') ? text.substr(1) : text;
}

bool is_whole(std::string_view unsigned_text) {
  return !unsigned_text.empty() && skip_digits(unsigned_text, 0) == unsigned_text.size();
}

// \.[0-9]+ or [0-9]+(\.[0-9]*)?, then an exponent or nothing.
bool is_real(std::string_view unsigned_text) {
  std::size_t at = skip_digits(unsigned_text, 0);
  std::size_t digits = at;
  if (at < unsigned_text.size() && unsigned_text[at] == '.') {
    const std::size_t begin = at + 1;
    at = skip_digits(unsigned_text, begin);
    digits += at - begin;
  }
  if (digits == 0) {
    return false;
  }
  if (at < unsigned_text.size() && (unsigned_text[at] == 'e' || unsigned_text[at] == 'E')) {
    ++at;
    if (at < unsigned_text.size() && (unsigned_text[at] == '-' || unsigned_text[at] == '+')) {
      ++at;
    }
    const std::size_t begin = at;
    at = skip_digits(unsigned_text, begin);
    return at > begin && at == unsigned_text.size();
  }
  return at == unsigned_text.size();
}

void read_whole(YamlNode& node, std::string_view digits, int base, Complaints& complaints) {
  node.kind = YamlNode::Kind::whole;
  const std::string text =
      (node.text.front() == '-' ? "-" : "") + std::string(digits);  // from_chars refuses '+'
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), node.whole, base);
  if (error != std::errc() || end != text.data() + text.size()) {
    node.whole = 0;
    complaints.add(node.mark, "the number " + quote(node.text) + " is too large");
  }
}

}  // namespace

void type_plain_scalar(YamlNode& node, Complaints& complaints) {
  const std::string& text = node.text;
  const std::string_view digits = without_sign(text);
  node.kind = YamlNode::Kind::text;
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) {
    node.kind = YamlNode::Kind::null;
  } else if (is_one_of(text, {"true", "True", "TRUE", "false", "False", "FALSE"})) {
    node.kind = YamlNode::Kind::boolean;
    node.flag = text[0] == 't' || text[0] == 'T';
  } else if (is_whole(digits)) {
    read_whole(node, digits, 10, complaints);
    if (digits.size() > 1 && digits.front() == '0') {
      complaints.add(node.mark,
                     "the number " + quote(text) + " begins with 0",
                     "some readers take it for an octal number",
                     std::to_string(node.whole));
    }
  } else if (text.size() > 2 && (text.starts_with("0x") || text.starts_with("0o")) &&
             text.find_first_not_of(text[1] == 'x' ? "0123456789abcdefABCDEF" : "01234567", 2) ==
                 std::string::npos) {
    read_whole(node, std::string_view(text).substr(2), text[1] == 'x' ? 16 : 8, complaints);
  } else if (is_real(digits)) {
    node.kind = YamlNode::Kind::real;
    node.real = std::strtod(text.c_str(), nullptr);
    if (!std::isfinite(node.real)) {
      node.real = 0;
      complaints.add(node.mark, "the number " + quote(text) + " is too large");
    }
  } else if (is_one_of(digits, {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"})) {
    node.kind = YamlNode::Kind::real;
    complaints.add(node.mark, quote(text) + " is not a finite number");
  }
}

}  // namespace tune::scenario
