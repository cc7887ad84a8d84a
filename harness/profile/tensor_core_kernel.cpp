#include "profile/tensor_core_kernel.h"

#include "profile/tensor_core_patterns.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace tune::profile {

namespace {

struct Pattern {
  TensorCoreUse use = TensorCoreUse::no;
  std::string_view text;
};

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::vector<Pattern> read_patterns(std::string_view file) {
  std::vector<Pattern> patterns;
  patterns.reserve(64);
  while (!file.empty()) {
    const std::size_t end = std::min(file.find('\n'), file.size());
    const std::string_view line = file.substr(0, end);
    file.remove_prefix(std::min(end + 1, file.size()));
    const std::size_t space = line.find(' ');
    if (line.starts_with('#') || space == std::string_view::npos) {
      continue;
    }
    const std::string_view verdict = line.substr(0, space);
    patterns.push_back({verdict == "yes"  ? TensorCoreUse::yes
                        : verdict == "no" ? TensorCoreUse::no
                                          : TensorCoreUse::unknown,
                        line.substr(space + 1)});
  }
  return patterns;
}

}  // namespace

bool matches_pattern(std::string_view text, std::string_view pattern) {
  std::size_t from = 0;
  while (!pattern.empty()) {
    const std::size_t end = std::min(pattern.find('*'), pattern.size());
    const std::string_view piece = pattern.substr(0, end);
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
    const auto rest = text.substr(from);
    const auto found =
        std::search(rest.begin(), rest.end(), piece.begin(), piece.end(), [](char a, char b) {
          return lower(a) == lower(b);
        });
    if (found == rest.end() && !piece.empty()) {
      return false;
    }
    from += static_cast<std::size_t>(found - rest.begin()) + piece.size();
  }
  return true;
}

TensorCoreUse tensor_core_use(std::string_view kernel) {
  static const std::vector<Pattern> kPatterns = read_patterns(kTensorCoreKernelsText);
  const auto found =
      std::find_if(kPatterns.begin(), kPatterns.end(), [kernel](const Pattern& pattern) {
        return matches_pattern(kernel, pattern.text);
      });
  return found == kPatterns.end() ? TensorCoreUse::no : found->use;
}

}  // namespace tune::profile
