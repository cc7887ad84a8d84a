#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tune::fuzz {

/// Changes texts at random, the same way for the same seed.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed, std::vector<std::string> hostile = hostile_json())
      : bits_(seed), hostile_(std::move(hostile)) {}

  std::string mutate(std::string text) {
    const std::size_t changes = 1 + below(4);
    for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
      change(text);
    }
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return bits_() % limit; }

  void change(std::string& text) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(text.size() - at, 1 + below(20));
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      default:
        replace_number(text, at);
    }
  }

  static std::vector<std::string> hostile_json() {
    return {"-1",
            "0",
            "1e999",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551616",
            "-9223372036854775808",
            "0.5",
            "null",
            "true",
            "\"\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "[]",
            "{}",
            "[[[[[[[[[[[[]]]]]]]]]]]]"};
  }

  // Puts a hostile value where the next number or text begins.
  void replace_number(std::string& text, std::size_t at) {
    const std::size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string::npos) {
      return;
    }
    const std::size_t end = text.find_first_not_of("0123456789.", begin);
    text.replace(begin,
                 end == std::string::npos ? std::string::npos : end - begin,
                 hostile_[below(hostile_.size())]);
  }

  std::mt19937_64 bits_;
  std::vector<std::string> hostile_;
};

}  // namespace tune::fuzz
