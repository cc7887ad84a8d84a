#include "worker/recorder/name_table.h"

#include <algorithm>
#include <array>

namespace tune::worker {

namespace {

// Fused attention has one operator for each backend. The operator around them, and the one that
// composes attention from products, need no formula: they call others that have one.
bool is_fused_attention(std::string_view name) {
  constexpr std::string_view kBegin = "aten::_scaled_dot_product_", kBackward = "_backward";
  constexpr std::array<std::string_view, 4> kBackEnds = {
      "flash_attention", "flash_attention_for_cpu", "efficient_attention", "cudnn_attention"};
  if (!name.starts_with(kBegin)) {
    return false;
  }
  name.remove_prefix(kBegin.size());
  if (name.ends_with(kBackward)) {
    name.remove_suffix(kBackward.size());
  }
  return std::find(kBackEnds.begin(), kBackEnds.end(), name) != kBackEnds.end();
}

// The operators of computeFlops() in torch/csrc/profiler/util.cpp, and those of token models
// (trace/table/flop_count.h has the formulas).
bool has_flop_formula(std::string_view name) {
  constexpr std::array<std::string_view, 9> kCounted = {"aten::mm",
                                                        "aten::addmm",
                                                        "aten::bmm",
                                                        "aten::baddbmm",
                                                        "aten::conv2d",
                                                        "aten::mul",
                                                        "aten::add",
                                                        "aten::native_layer_norm",
                                                        "aten::embedding"};
  return std::find(kCounted.begin(), kCounted.end(), name) != kCounted.end() ||
         is_fused_attention(name);
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
