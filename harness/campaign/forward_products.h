#pragma once

#include "campaign/profiled_cell.h"

#include <optional>
#include <string>

namespace tune::campaign {

/// How fast recorded steps multiplied.
struct ForwardProducts {
  std::optional<double> flop_rate;  ///< FLOP/s
  std::string reason;               ///< why it is not known; "" when it is
};

/// Operations of the calls of aten::mm, addmm, bmm, baddbmm and conv2d ÷ the time from their begins
/// to their ends, on the host: what a CPU reaches in them. Those are products of the forward pass
/// and matrix products of the backward pass; PyTorch has no formula for convolutions backwards.
/// Needs inputs (record_shapes or with_flops) and steps that recording did not stretch by more than
/// kDilationLimit. `profile` may be null.
ForwardProducts forward_products(const ProfiledCell* profile);

}  // namespace tune::campaign
