#include "worker/recorder/name_table.h"

#include <algorithm>
#include <array>

namespace tune::worker {

namespace {

// Those of computeFlops() in torch/csrc/profiler/util.cpp.
bool has_flop_formula(std::string_view name) {
  constexpr std::array<std::string_view, 7> kCounted = {"aten::mm",
                                                        "aten::addmm",
                                                        "aten::bmm",
                                                        "aten::baddbmm",
                                                        "aten::conv2d",
                                                        "aten::mul",
                                                        "aten::add"};
  return std::find(kCounted.begin(), kCounted.end(), name) != kCounted.end();
}

}  // namespace

NameTable::Name NameTable::find_or_add(std::string_view text) {
  const std::lock_guard lock(mutex_);
  auto found = ids_.find(text);
  if (found == ids_.end()) {
    texts_.emplace_back(text);
    found = ids_.emplace(texts_.back(), static_cast<std::uint32_t>(texts_.size() - 1)).first;
  }
  return {found->second, found->first, has_flop_formula(text)};
}

std::string_view NameTable::text(std::uint32_t id) const {
  const std::lock_guard lock(mutex_);
  return texts_[id];
}

}  // namespace tune::worker
