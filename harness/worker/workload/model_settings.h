#pragma once

namespace tune::worker {

/// What knobs decide about how a model computes; what it computes stays the same.
struct ModelSettings {
  enum class Operators { fused, composed };
  enum class Activations { kept, recomputed };

  Operators operators = Operators::fused;  ///< of layer norms and attention
  /// recomputed: of each block its input alone is kept for the backward pass (checkpoint.h).
  Activations activations = Activations::kept;
};

}  // namespace tune::worker
