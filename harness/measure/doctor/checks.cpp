#include "measure/doctor/checks.h"

#include <array>
#include <cstdio>
#include <utility>

namespace tune::doctor {

const char* name(Level level) {
  switch (level) {
    case Level::ok:
      return "ok";
    case Level::unknown:
      return "unknown";
    case Level::note:
      return "note";
    case Level::warning:
      return "warning";
    case Level::failure:
      return "failure";
  }
  return "";
}

namespace {

std::string printed(const char* format, double value) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

Check not_known(Check check, std::string found) {
  check.level = Level::unknown;
  check.found = std::move(found);
  return check;
}

std::string percent(double ratio) {
  return printed("%.1f %%", ratio * 100);
}

std::string two_places(double value) {
  return printed("%.2f", value);
}

}  // namespace tune::doctor
