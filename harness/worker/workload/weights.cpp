#include "worker/workload/weights.h"

#include <ATen/ops/empty.h>

#include <utility>

namespace tune::worker {

at::Tensor Weights::normal(at::IntArrayRef sizes, double deviation) {
  return keep(at::empty(sizes, at::kFloat).normal_(0, deviation));
}

at::Tensor Weights::ones(std::int64_t size) {
  return keep(at::empty({size}, at::kFloat).fill_(1));
}

at::Tensor Weights::zeros(std::int64_t size) {
  return keep(at::empty({size}, at::kFloat).fill_(0));
}

at::Tensor Weights::keep(at::Tensor weight) {
  weight.requires_grad_(true);
  all_.push_back(weight);
  return weight;
}

}  // namespace tune::worker
