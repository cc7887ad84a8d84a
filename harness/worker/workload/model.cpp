#include "worker/workload/model.h"

#include <ATen/ops/cross_entropy_loss.h>

namespace tune::worker {

at::Tensor Model::loss(const at::Tensor& input, const at::Tensor& labels) {
  return loss_of(forward(input), labels);
}

at::Tensor loss_of(const at::Tensor& scores, const at::Tensor& labels) {
  return labels.dim() == 1 ? at::cross_entropy_loss(scores, labels)
                           : at::cross_entropy_loss(scores.flatten(0, -2), labels.flatten());
}

}  // namespace tune::worker
