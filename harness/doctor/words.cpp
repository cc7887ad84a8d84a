#include "doctor/words.h"

#include <array>
#include <cstdio>

namespace tune::doctor {

namespace {

std::string printed(const char* format, double value) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

std::string percent(double ratio) {
  return printed("%.1f %%", ratio * 100);
}

std::string two_places(double value) {
  return printed("%.2f", value);
}

}  // namespace tune::doctor
