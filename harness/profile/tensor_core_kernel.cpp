#include "profile/tensor_core_kernel.h"

#include "profile/tensor_core_patterns.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tune::profile {

namespace {

struct Pattern {
  TensorCoreUse use = TensorCoreUse::no;
  std::string text;  // in small letters
};

std::string lowered(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return small;
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
                        lowered(line.substr(space + 1))});
  }
  return patterns;
}

// Both in small letters.
bool matches(std::string_view text, std::string_view pattern) {
  std::size_t from = 0;
  while (!pattern.empty()) {
    const std::size_t end = std::min(pattern.find('*'), pattern.size());
    const std::string_view piece = pattern.substr(0, end);
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
    const std::size_t found = text.find(piece, from);
    if (found == std::string_view::npos) {
      return false;
    }
    from = found + piece.size();
  }
  return true;
}

}  // namespace

bool matches_pattern(std::string_view text, std::string_view pattern) {
  return matches(lowered(text), lowered(pattern));
}

TensorCoreUse tensor_core_use(std::string_view kernel) {
  static const std::vector<Pattern> kPatterns = read_patterns(kTensorCoreKernelsText);
  const std::string name = lowered(kernel);
  const auto found =
      std::find_if(kPatterns.begin(), kPatterns.end(), [&name](const Pattern& pattern) {
        return matches(name, pattern.text);
      });
  return found == kPatterns.end() ? TensorCoreUse::no : found->use;
}

}  // namespace tune::profile
