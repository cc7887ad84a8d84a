#include "worker/workload/residual_network.h"

namespace tune::worker {

std::unique_ptr<Model> make_resnet18(const trial::Workload& workload,
                                     const ModelSettings& settings);

std::unique_ptr<Model> make_resnet18(const trial::Workload& workload,
                                     const ModelSettings& settings) {
  return make_residual_network(
      {.block = ResidualShape::Block::basic, .depths = {2, 2, 2, 2}}, workload, settings);
}

}  // namespace tune::worker
