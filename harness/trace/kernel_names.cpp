#include "trace/kernel_names.h"

#include <algorithm>

namespace tune::profile {

namespace {

std::string lowered(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return small;
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

std::vector<NamePattern> read_name_patterns(std::string_view file) {
  std::vector<NamePattern> patterns;
  patterns.reserve(64);
  while (!file.empty()) {
    const std::size_t end = std::min(file.find('\n'), file.size());
    const std::string_view line = file.substr(0, end);
    file.remove_prefix(std::min(end + 1, file.size()));
    const std::size_t space = line.find(' ');
    if (!line.starts_with('#') && space != std::string_view::npos) {
      patterns.push_back({std::string(line.substr(0, space)), lowered(line.substr(space + 1))});
    }
  }
  return patterns;
}

std::string_view first_verdict(const std::vector<NamePattern>& patterns, std::string_view name) {
  const std::string small = lowered(name);
  const auto found =
      std::find_if(patterns.begin(), patterns.end(), [&small](const NamePattern& pattern) {
        return matches(small, pattern.text);
      });
  return found == patterns.end() ? std::string_view() : std::string_view(found->verdict);
}

bool matches_pattern(std::string_view text, std::string_view pattern) {
  return matches(lowered(text), lowered(pattern));
}

Precision kernel_precision(std::string_view kernel) {
  static const std::vector<NamePattern> kPatterns = read_name_patterns(kKernelPrecisionsText);
  const std::string_view verdict = first_verdict(kPatterns, kernel);
  return verdict == "fp16"   ? Precision::fp16
         : verdict == "bf16" ? Precision::bf16
         : verdict == "fp8"  ? Precision::fp8
         : verdict == "full" ? Precision::full
         : verdict == "wide" ? Precision::wide
                             : Precision::unknown;
}

Precision input_precision(std::string_view input_types) {
  const auto has = [input_types](std::string_view type) {
    return input_types.find(type) != std::string_view::npos;
  };
  return has("c10::Float8")     ? Precision::fp8
         : has("c10::BFloat16") ? Precision::bf16
         : has("c10::Half")     ? Precision::fp16
         : has(R"("float")")    ? Precision::full
         : has(R"("double")")   ? Precision::wide
                                : Precision::unknown;
}

TensorCoreUse tensor_core_use(std::string_view kernel) {
  static const std::vector<NamePattern> kPatterns = read_name_patterns(kTensorCoreKernelsText);
  const std::string_view verdict = first_verdict(kPatterns, kernel);
  return verdict == "yes"                     ? TensorCoreUse::yes
         : verdict == "no" || verdict.empty() ? TensorCoreUse::no
                                              : TensorCoreUse::unknown;
}

}  // namespace tune::profile
