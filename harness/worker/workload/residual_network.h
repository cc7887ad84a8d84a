#pragma once

#include "worker/knob/knob_effect.h"
#include "worker/workload/model.h"

#include <array>
#include <cstdint>
#include <memory>

namespace tune::worker {

/// The networks of He, Zhang, Ren, Sun: Deep residual learning for image recognition (2015), with
/// the strides, the biases (none before a batch norm) and the initialisation that every framework
/// uses; bottlenecks are those of v1.5: the 3x3 convolution strides.
struct ResidualShape {
  enum class Block { basic, bottleneck };

  Block block = Block::basic;
  std::array<std::int64_t, 4> depths = {};  ///< blocks of each stage
};

std::unique_ptr<Model> make_residual_network(const ResidualShape& shape,
                                             const trial::Workload& workload,
                                             const ModelSettings& settings);

}  // namespace tune::worker
