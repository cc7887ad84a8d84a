#pragma once

#include <span>
#include <string_view>

namespace tune {

struct EmbeddedFile {
  std::string_view name, text;
};

/// rules/*.yaml, by name (CMakeLists.txt).
extern const std::span<const EmbeddedFile> kRuleFiles;

}  // namespace tune
