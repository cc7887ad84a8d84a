#include "trace/role.h"

#include "trace/steps.h"

#include <algorithm>

namespace tune::profile {

namespace {

constexpr std::array<std::string_view, kRoles> kNames = {
    "kernel", "communication", "memcpy", "memset", "runtime", "data_loading", "cpu_op", "other"};

bool equal_in_any_case(char a, char b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return lower(a) == lower(b);
}

bool starts_with(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), equal_in_any_case);
}

bool contains(std::string_view text, std::string_view word) {
  return std::search(text.begin(), text.end(), word.begin(), word.end(), equal_in_any_case) !=
         text.end();
}

}  // namespace

std::string_view role_name(Role role) {
  return kNames[static_cast<std::size_t>(role)];
}

bool is_communication_kernel(std::string_view name) {
  constexpr std::array<std::string_view, 4> kBeginnings = {"nccl", "rccl", "hccl", "hcom_"};
  // The last ones: all-reduces of vLLM, SGLang, TensorRT-LLM and PyTorch's symmetric memory.
  constexpr std::array<std::string_view, 11> kParts = {"ncclKernel",
                                                       "ncclDevKernel",
                                                       "rcclGeneric",
                                                       "oneCCL",
                                                       "cross_device_reduce",
                                                       "multimem_all_",
                                                       "multimem_one_shot",
                                                       "one_shot_all_reduce",
                                                       "two_shot_all_reduce",
                                                       "oneShotAllReduce",
                                                       "twoShotAllReduce"};
  return std::any_of(kBeginnings.begin(),
                     kBeginnings.end(),
                     [name](std::string_view word) { return starts_with(name, word); }) ||
         std::any_of(kParts.begin(), kParts.end(), [name](std::string_view word) {
           return contains(name, word);
         });
}

RoleOfEvent::RoleOfEvent(const Timeline& timeline) : kinds_(timeline.strings.size()) {
  std::vector<bool> is_looked_at(kinds_.size());
  for (const Event& event : timeline.events) {
    if (is_looked_at[event.name]) {
      continue;
    }
    is_looked_at[event.name] = true;
    const std::string_view name = timeline.name(event);
    if (marks_step(name)) {
      kinds_[event.name] = NameKind::step;
    } else if (name.starts_with("enumerate(DataLoader)#") ||
               name.starts_with("enumerate(DataPipe)#")) {
      kinds_[event.name] = NameKind::data_loading;
    } else if (is_communication_kernel(name)) {
      kinds_[event.name] = NameKind::communication;
    }
  }
}

std::optional<Role> RoleOfEvent::operator()(const Event& event) const {
  const NameKind kind = kinds_[event.name];
  switch (event.category) {
    case Category::kernel:
      return kind == NameKind::communication ? Role::communication : Role::kernel;
    case Category::memcpy:
      return Role::memcpy;
    case Category::memset:
      return Role::memset;
    case Category::runtime:
    case Category::driver:
      return Role::runtime;
    case Category::cpu_op:
      return kind == NameKind::data_loading ? std::optional(Role::data_loading)
             : kind == NameKind::step       ? std::nullopt
                                            : std::optional(Role::cpu_op);
    case Category::user_annotation:
      return kind == NameKind::data_loading ? std::optional(Role::data_loading) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace tune::profile
