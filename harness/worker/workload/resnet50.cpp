#include "worker/workload/residual_network.h"

namespace tune::worker {

std::unique_ptr<Model> make_resnet50(const trial::Workload& workload,
                                     const ModelSettings& settings);

std::unique_ptr<Model> make_resnet50(const trial::Workload& workload,
                                     const ModelSettings& settings) {
  return make_residual_network(
      {.block = ResidualShape::Block::bottleneck, .depths = {3, 4, 6, 3}}, workload, settings);
}

}  // namespace tune::worker
