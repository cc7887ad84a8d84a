#include "base/expression/tokens.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace tune::expression {

namespace {

struct Unit {
  const char* name;
  double factor;
  Dimension dimension;
};

constexpr Dimension kTime{.time = 1};
constexpr Dimension kBytes{.bytes = 1};
constexpr Dimension kRate{.time = -1, .bytes = 1};
constexpr Dimension kFrequency{.time = -1};
constexpr Dimension kTemperature{.temperature = 1};

constexpr std::array<Unit, 26> kUnits = {{{"%", 0.01, {}},
                                          {"ns", 1e-9, kTime},
                                          {"us", 1e-6, kTime},
                                          {"ms", 1e-3, kTime},
                                          {"s", 1, kTime},
                                          {"min", 60, kTime},
                                          {"h", 3600, kTime},
                                          {"B", 1, kBytes},
                                          {"KB", 1e3, kBytes},
                                          {"MB", 1e6, kBytes},
                                          {"GB", 1e9, kBytes},
                                          {"KiB", 1024.0, kBytes},
                                          {"MiB", 1048576.0, kBytes},
                                          {"GiB", 1073741824.0, kBytes},
                                          {"B/s", 1, kRate},
                                          {"KB/s", 1e3, kRate},
                                          {"MB/s", 1e6, kRate},
                                          {"GB/s", 1e9, kRate},
                                          {"KiB/s", 1024.0, kRate},
                                          {"MiB/s", 1048576.0, kRate},
                                          {"GiB/s", 1073741824.0, kRate},
                                          {"Hz", 1, kFrequency},
                                          {"kHz", 1e3, kFrequency},
                                          {"MHz", 1e6, kFrequency},
                                          {"GHz", 1e9, kFrequency},
                                          {"degC", 1, kTemperature}}};

constexpr std::array<std::string_view, 6> kKeywords = {"and", "or", "not", "in", "true", "false"};
constexpr std::array<std::string_view, 17> kSymbols = {
    "<=", ">=", "==", "!=", "<", ">", "(", ")", "[", "]", ",", "+", "-", "*", "/", "=", "!"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_letter(char c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z');
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}

// "(time units: ns us ms s min h)": the units of the kind that the user seems to mean.
std::string known_units(const std::string& nearest) {
  Dimension wanted;
  std::vector<std::string> names;
  for (const Unit& unit : kUnits) {
    if (unit.name == nearest) {
      wanted = unit.dimension;
    }
  }
  std::string text;
  for (const Unit& unit : kUnits) {
    if (nearest.empty() || unit.dimension == wanted) {
      text += std::string(" ") + unit.name;
    }
  }
  const Type type{.kind = Type::Kind::number, .dimension = wanted};
  return (nearest.empty() ? "" : to_text(type) + " ") + "units:" + text;
}

class Splitter {
 public:
  Splitter(const std::string& text, std::vector<Complaint>& complaints)
      : text_(text), complaints_(complaints) {}

  std::optional<std::vector<Token>> split() {
    while (skip_spaces(), at_ < text_.size()) {
      const std::size_t begin = at_;
      if (!take_token()) {
        return std::nullopt;
      }
      tokens_.back().begin = begin;
      tokens_.back().end = at_;
    }
    tokens_.push_back({.kind = Token::Kind::end, .begin = text_.size(), .end = text_.size()});
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) {
      ++at_;
    }
  }

  bool fail(std::size_t offset,
            std::string problem,
            std::string why = "",
            std::string suggestion = "") {
    complaints_.push_back({offset, std::move(problem), std::move(why), std::move(suggestion)});
    return false;
  }

  bool take_token() {
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      return take_number();
    }
    if (c == '\'' || c == '"') {
      return take_text(c);
    }
    return is_letter(c) || c == '_' ? take_word() : take_symbol();
  }

  bool take_text(char quote) {
    const std::size_t close = text_.find(quote, at_ + 1);
    if (close == std::string::npos) {
      return fail(at_, "the text that starts here is not closed", std::string("expected ") + quote);
    }
    tokens_.push_back({.kind = Token::Kind::text, .word = text_.substr(at_ + 1, close - at_ - 1)});
    at_ = close + 1;
    return true;
  }

  bool take_word() {
    const std::size_t begin = at_;
    while (is_word(peek()) || (peek() == '.' && is_word(peek(1)))) {
      ++at_;
    }
    const std::string word = text_.substr(begin, at_ - begin);
    if (std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end()) {
      tokens_.push_back({.kind = Token::Kind::keyword, .word = word});
      return true;
    }
    const bool one_dot = std::count(word.begin(), word.end(), '.') <= 1;
    const bool plain =
        std::none_of(word.begin(), word.end(), [](char c) { return is_letter(c) && !is_lower(c); });
    if (!is_lower(word.front()) || !one_dot || !plain) {
      return fail(begin,
                  "`" + word + "` is not a name",
                  "names are small letters, digits and _, e.g. `num_workers`");
    }
    tokens_.push_back({.kind = Token::Kind::name, .word = word});
    return true;
  }

  bool take_symbol() {
    for (const std::string_view symbol : kSymbols) {
      if (text_.compare(at_, symbol.size(), symbol) == 0) {
        if (symbol == "=") {
          return fail(
              at_, "`=` is not an operator", "nothing is assigned here", "did you mean `==`");
        }
        if (symbol == "!") {
          return fail(at_, "`!` is not an operator", "", "did you mean `not`");
        }
        tokens_.push_back({.kind = Token::Kind::symbol, .word = std::string(symbol)});
        at_ += symbol.size();
        return true;
      }
    }
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (text_.compare(at_, 2, "&&") == 0 || text_.compare(at_, 2, "||") == 0) {
      return fail(at_,
                  "`" + text_.substr(at_, 2) + "` is not an operator",
                  "",
                  byte == '&' ? "did you mean `and`" : "did you mean `or`");
    }
    const bool printable = byte >= 0x20 && byte < 0x7f;
    return fail(at_,
                printable ? "`" + text_.substr(at_, 1) + "` has no meaning here"
                          : "byte " + std::to_string(byte) + " has no meaning here");
  }

  bool take_number() {
    const std::size_t begin = at_;
    const auto digits = [&] {
      while (is_digit(peek())) {
        ++at_;
      }
    };
    digits();
    if (peek() == '.') {
      ++at_;
      digits();
    }
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
    if ((peek() == 'e' || peek() == 'E') && is_digit(peek(sign))) {
      at_ += sign;
      digits();
    }
    const std::string written = text_.substr(begin, at_ - begin);
    Token token{.kind = Token::Kind::number};
    token.number.value = std::strtod(written.c_str(), nullptr);
    if (!std::isfinite(token.number.value)) {
      return fail(begin, "the number `" + written.substr(0, 32) + "` is too large");
    }
    tokens_.push_back(std::move(token));
    return take_unit();
  }

  // A word right after a number is its unit: "3 s", "3MiB/s", "90%".
  bool take_unit() {
    const std::size_t after_number = at_;
    skip_spaces();
    const std::size_t begin = at_;
    while (is_word(peek())) {
      ++at_;
    }
    if (peek() == '%' && at_ == begin) {
      ++at_;
    }
    std::string written = text_.substr(begin, at_ - begin);
    const bool keyword = std::find(kKeywords.begin(), kKeywords.end(), written) != kKeywords.end();
    if (written.empty() || keyword) {
      at_ = after_number;
      return true;
    }
    if (written.back() == 'B' && peek() == '/' && peek(1) == 's' && !is_word(peek(2))) {
      at_ += 2;
      written += "/s";
    }
    for (const Unit& unit : kUnits) {
      if (written == unit.name) {
        Number& number = tokens_.back().number;
        number = {number.value * unit.factor, unit.dimension};
        return std::isfinite(number.value) || fail(begin, "the number is too large");
      }
    }
    std::vector<std::string> names;
    for (const Unit& unit : kUnits) {
      names.emplace_back(unit.name);
    }
    return fail(begin,
                "unit `" + written.substr(0, 32) + "` is not known",
                known_units(did_you_mean(written, names)));
  }

  const std::string& text_;
  std::vector<Complaint>& complaints_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::optional<std::vector<Token>> split_into_tokens(const std::string& text,
                                                    std::vector<Complaint>& complaints) {
  return Splitter(text, complaints).split();
}

}  // namespace tune::expression
