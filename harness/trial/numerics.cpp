#include "trial/numerics.h"

#include "trial/environment_knob.h"

#include <algorithm>
#include <array>

namespace tune::trial {

namespace {

// jemalloc's with the prefixes of its usual builds; THP_MEM_ALLOC_ENABLE is of torch's own on CPUs.
constexpr std::array<std::string_view, 8> kAllocators = {"MALLOC_",
                                                         "JE_MALLOC_",
                                                         "_RJEM_MALLOC_",
                                                         "TCMALLOC_",
                                                         "MIMALLOC_",
                                                         "PYTORCH_ALLOC_CONF",
                                                         "PYTORCH_CUDA_ALLOC_CONF",
                                                         "THP_MEM_ALLOC_ENABLE"};

template <class Holds>
bool all_parts(std::string_view list, std::string_view separators, Holds holds) {
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find_first_of(separators, begin), list.size());
    const std::string_view part = list.substr(begin, end - begin);
    if (!part.empty() && !holds(part)) {
      return false;
    }
    begin = end + 1;
  }
  return true;
}

bool is_allocator(std::string_view library) {
  const std::size_t slash = library.rfind('/');
  std::string_view name = slash == library.npos ? library : library.substr(slash + 1);
  name.remove_prefix(name.starts_with("lib") ? 3 : 0);
  return name.starts_with("jemalloc") || name.starts_with("tcmalloc");
}

bool only_allocates(std::string_view variable, std::string_view value) {
  if (value == kVariableAsItIs) {
    return true;
  }
  if (variable == "GLIBC_TUNABLES") {
    return is_of_malloc(value);
  }
  return variable == "LD_PRELOAD"
             ? all_parts(value, ": ", is_allocator)
             : std::any_of(kAllocators.begin(), kAllocators.end(), [&](std::string_view allocator) {
                 return variable.starts_with(allocator);
               });
}

}  // namespace

bool is_of_malloc(std::string_view tunables) {
  return all_parts(
      tunables, ":", [](std::string_view each) { return each.starts_with("glibc.malloc."); });
}

bool may_change_numbers(const std::string& knob,
                        const KnobSettings& before,
                        const KnobSettings& after) {
  if (const Knob* const known = find_knob(knob)) {
    return !known->preserves_numerics;
  }
  if (!is_environment_knob(knob)) {
    return true;
  }
  const std::string_view variable = std::string_view(knob).substr(kEnvironmentKnob.size());
  const auto keeps = [&](const KnobSettings& settings) {
    const auto found = settings.find(knob);
    return found == settings.end() || only_allocates(variable, to_text(found->second));
  };
  // Where neither side sets the variable there is nothing to judge by but its name.
  const bool is_set = before.contains(knob) || after.contains(knob);
  return !(is_set && keeps(before) && keeps(after));
}

}  // namespace tune::trial
