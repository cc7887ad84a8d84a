#include "worker/workload/model.h"

#include "worker/workload/loss.h"

namespace tune::worker {

at::Tensor Model::loss(const at::Tensor& input, const at::Tensor& labels) {
  return loss_of(forward(input), labels);
}

}  // namespace tune::worker
