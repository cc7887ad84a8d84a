#include "metric/names.h"

#include <algorithm>

namespace tune::metric {

bool has_in_any_case(std::string_view text, std::string_view lower_word) {
  const auto found = std::search(
      text.begin(), text.end(), lower_word.begin(), lower_word.end(), [](char a, char lower) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == lower;
      });
  return found != text.end();
}

}  // namespace tune::metric
