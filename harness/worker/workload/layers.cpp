#include "worker/workload/layers.h"

#include "worker/recorder/range.h"

#include <ATen/ops/add.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sub.h>

namespace tune::worker {

namespace {

// As the first code for BERT did, before there was an operator for it everywhere.
at::Tensor composed_norm(const at::Tensor& x,
                         const at::Tensor& weight,
                         const at::Tensor& bias,
                         double epsilon) {
  const at::Tensor centered = at::sub(x, x.mean({-1}, /*keepdim=*/true));
  const at::Tensor variance = at::pow(centered, 2).mean({-1}, /*keepdim=*/true);
  const at::Tensor normal = at::mul(centered, at::rsqrt(at::add(variance, epsilon)));
  return at::add(at::mul(normal, weight), bias);
}

}  // namespace

LinearLayer::LinearLayer(Weights& weights, const Shape& shape)
    : weight_(weights.normal({shape.out, shape.in}, shape.deviation)),
      bias_(weights.zeros(shape.out)) {}

at::Tensor LinearLayer::operator()(const char* name, const at::Tensor& x) const {
  const ModuleRange range(name);
  return at::linear(x, weight_, bias_);
}

NormLayer::NormLayer(Weights& weights, const Shape& shape, ModelSettings::Operators operators)
    : weight_(weights.ones(shape.size)),
      bias_(weights.zeros(shape.size)),
      epsilon_(shape.epsilon),
      operators_(operators) {}

at::Tensor NormLayer::operator()(const char* name, const at::Tensor& x) const {
  const ModuleRange range(name);
  return operators_ == ModelSettings::Operators::fused
             ? at::layer_norm(x, {x.size(-1)}, weight_, bias_, epsilon_)
             : composed_norm(x, weight_, bias_, epsilon_);
}

}  // namespace tune::worker
