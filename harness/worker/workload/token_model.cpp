#include "worker/workload/token_model.h"

#include "trial/model_params.h"
#include "worker/recorder/range.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/dropout.h>

#include <cstddef>

namespace tune::worker {

AttentionShape TokenShape::attention(AttentionShape::Sight sight) const {
  return {.heads = heads,
          .dropout = attention_dropout,
          .sight = sight,
          .operators = settings.operators};
}

TokenShape token_shape(const trial::Workload& workload, const ModelSettings& settings) {
  const bool is_trained = workload.task == "train";
  return {.layers = trial::whole_param(workload, "layers"),
          .hidden = trial::whole_param(workload, "hidden"),
          .heads = trial::whole_param(workload, "heads"),
          .vocabulary = trial::whole_param(workload, "vocabulary"),
          .sequence_length = trial::whole_param(workload, "sequence_length"),
          .dropout = is_trained ? trial::real_param(workload, "dropout") : 0,
          .attention_dropout = is_trained ? trial::real_param(workload, "attention_dropout") : 0,
          .is_trained = is_trained,
          .settings = settings};
}

TokenModel::TokenModel(const TokenShape& shape) : shape_(shape) {
  buffers_.push_back(at::arange(shape.sequence_length, at::kLong));
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    names_.push_back("block" + std::to_string(i));
  }
}

void TokenModel::keep_tokens_after() {
  if (shape_.settings.operators == ModelSettings::Operators::composed) {
    after_ = tokens_after(shape_.sequence_length);
    buffers_.push_back(after_);
  }
}

at::Tensor TokenModel::drop(const at::Tensor& x) const {
  return shape_.dropout > 0 ? at::dropout(x, shape_.dropout, /*train=*/true) : x;
}

at::Tensor TokenModel::run_block(std::int64_t number,
                                 const Block& block,
                                 const at::Tensor& x) const {
  // Owns its part of the block, for it outlives this call where it is computed again.
  const Block named = [this, number, block](const at::Tensor& input) {
    const ModuleRange range(names_[static_cast<std::size_t>(number)]);
    return block(input);
  };
  const bool is_recomputed =
      shape_.is_trained && shape_.settings.activations == ModelSettings::Activations::recomputed;
  return is_recomputed ? checkpoint(named, x) : named(x);
}

}  // namespace tune::worker
