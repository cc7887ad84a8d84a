#include "worker/workload/residual_network.h"

#include "worker/workload/checkpoint.h"
#include "worker/workload/nn_model.h"

#include <ATen/Context.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tune::worker {

namespace {

struct Shape {
  std::int64_t in, out, kernel, stride;
};

// torch::nn::Conv2d would first draw millions of weights that are overwritten, in every trial.
class ConvImpl : public torch::nn::Module {
 public:
  explicit ConvImpl(const Shape& shape) : stride_(shape.stride), padding_(shape.kernel / 2) {
    weight_ =
        register_parameter("weight", at::empty({shape.out, shape.in, shape.kernel, shape.kernel}));
    torch::nn::init::kaiming_normal_(weight_, 0, torch::kFanOut, torch::kReLU);
  }

  at::Tensor forward(const at::Tensor& x) {
    return at::conv2d(x, weight_, {}, at::IntArrayRef(stride_), at::IntArrayRef(padding_));
  }

 private:
  at::Tensor weight_;
  std::int64_t stride_, padding_;  // of both sides
};
TORCH_MODULE(Conv);

/// A batch norm that updates its running statistics once per batch, even when it is computed twice.
at::Tensor call_norm(const char* name, torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  const ModuleRange range(name);
  if (!is_recomputing()) {
    return norm->forward(x);
  }
  return at::batch_norm(x,
                        norm->weight,
                        norm->bias,
                        /*running_mean=*/{},
                        /*running_var=*/{},
                        /*training=*/true,
                        /*momentum=*/0,
                        norm->options.eps(),
                        at::globalContext().userEnabledCuDNN());
}

/// The layers between two residual additions.
class ResidualBlockImpl : public torch::nn::Module {
 public:
  virtual at::Tensor forward(const at::Tensor& x) = 0;

 protected:
  // Call it last: weights are drawn in that order.
  void make_shortcut(std::int64_t in, std::int64_t out, std::int64_t stride) {
    if (stride != 1 || in != out) {  // the shortcut must change its shape, too
      shortcut_conv_ = register_module("shortcut_conv", Conv(Shape{in, out, 1, stride}));
      shortcut_bn_ = register_module("shortcut_bn", torch::nn::BatchNorm2d(out));
    }
  }

  at::Tensor add_shortcut(at::Tensor y, const at::Tensor& x) {
    y += shortcut_conv_ ? shortcut(x) : x;
    return at::relu_(y);
  }

 private:
  at::Tensor shortcut(const at::Tensor& x) {
    return call_norm("shortcut_bn", shortcut_bn_, call_module("shortcut_conv", shortcut_conv_, x));
  }

  Conv shortcut_conv_{nullptr};
  torch::nn::BatchNorm2d shortcut_bn_{nullptr};
};

class BasicBlockImpl final : public ResidualBlockImpl {
 public:
  static constexpr std::int64_t kExpansion = 1;

  BasicBlockImpl(std::int64_t in, std::int64_t width, std::int64_t stride) {
    conv1_ = register_module("conv1", Conv(Shape{in, width, 3, stride}));
    bn1_ = register_module("bn1", torch::nn::BatchNorm2d(width));
    conv2_ = register_module("conv2", Conv(Shape{width, width, 3, 1}));
    bn2_ = register_module("bn2", torch::nn::BatchNorm2d(width));
    make_shortcut(in, width, stride);
  }

  at::Tensor forward(const at::Tensor& x) override {
    at::Tensor y = call_norm("bn1", bn1_, call_module("conv1", conv1_, x));
    at::relu_(y);
    return add_shortcut(call_norm("bn2", bn2_, call_module("conv2", conv2_, y)), x);
  }

 private:
  Conv conv1_{nullptr}, conv2_{nullptr};
  torch::nn::BatchNorm2d bn1_{nullptr}, bn2_{nullptr};
};

class BottleneckImpl final : public ResidualBlockImpl {
 public:
  static constexpr std::int64_t kExpansion = 4;

  BottleneckImpl(std::int64_t in, std::int64_t width, std::int64_t stride) {
    const std::int64_t out = kExpansion * width;
    conv1_ = register_module("conv1", Conv(Shape{in, width, 1, 1}));
    bn1_ = register_module("bn1", torch::nn::BatchNorm2d(width));
    conv2_ = register_module("conv2", Conv(Shape{width, width, 3, stride}));
    bn2_ = register_module("bn2", torch::nn::BatchNorm2d(width));
    conv3_ = register_module("conv3", Conv(Shape{width, out, 1, 1}));
    bn3_ = register_module("bn3", torch::nn::BatchNorm2d(out));
    make_shortcut(in, out, stride);
  }

  at::Tensor forward(const at::Tensor& x) override {
    at::Tensor y = call_norm("bn1", bn1_, call_module("conv1", conv1_, x));
    at::relu_(y);
    y = call_norm("bn2", bn2_, call_module("conv2", conv2_, y));
    at::relu_(y);
    return add_shortcut(call_norm("bn3", bn3_, call_module("conv3", conv3_, y)), x);
  }

 private:
  Conv conv1_{nullptr}, conv2_{nullptr}, conv3_{nullptr};
  torch::nn::BatchNorm2d bn1_{nullptr}, bn2_{nullptr}, bn3_{nullptr};
};

class ResidualNetworkImpl : public torch::nn::Module {
 public:
  ResidualNetworkImpl(const ResidualShape& shape,
                      std::int64_t classes,
                      ModelSettings::Activations activations)
      : activations_(activations) {
    conv_ = register_module("conv", Conv(Shape{3, kWidth, 7, 2}));
    bn_ = register_module("bn", torch::nn::BatchNorm2d(kWidth));
    const std::int64_t out = shape.block == ResidualShape::Block::basic
                                 ? add_stages<BasicBlockImpl>(shape)
                                 : add_stages<BottleneckImpl>(shape);
    linear_ = register_module("linear", torch::nn::Linear(out, classes));
  }

  at::Tensor forward(const at::Tensor& images) {
    at::Tensor x = call_norm("bn", bn_, call_module("conv", conv_, images));
    at::relu_(x);
    x = at::max_pool2d(x, 3, 2, 1);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      x = run_block(i, x);
    }
    return call_module("linear", linear_, at::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
  }

 private:
  static constexpr std::int64_t kWidth = 64;

  // Returns the number of output channels.
  template <class BlockImpl>
  std::int64_t add_stages(const ResidualShape& shape) {
    std::int64_t in = kWidth, width = kWidth;
    for (const std::int64_t depth : shape.depths) {
      for (std::int64_t i = 0; i < depth; ++i) {
        const std::int64_t stride = i == 0 && width != kWidth ? 2 : 1;
        names_.push_back("block" + std::to_string(blocks_.size()));
        std::shared_ptr<ResidualBlockImpl> block = std::make_shared<BlockImpl>(in, width, stride);
        blocks_.push_back(register_module(names_.back(), std::move(block)));
        in = BlockImpl::kExpansion * width;
      }
      width *= 2;
    }
    return in;
  }

  at::Tensor run_block(std::size_t i, const at::Tensor& x) {
    const auto block = [this, i](const at::Tensor& input) {
      return call_module(names_[i].c_str(), blocks_[i], input);
    };
    const bool is_recomputed =
        is_training() && activations_ == ModelSettings::Activations::recomputed;
    return is_recomputed ? checkpoint(block, x) : block(x);
  }

  ModelSettings::Activations activations_;
  Conv conv_{nullptr};
  torch::nn::BatchNorm2d bn_{nullptr};
  std::vector<std::string> names_;
  std::vector<std::shared_ptr<ResidualBlockImpl>> blocks_;
  torch::nn::Linear linear_{nullptr};
};
TORCH_MODULE(ResidualNetwork);

}  // namespace

std::unique_ptr<Model> make_residual_network(const ResidualShape& shape,
                                             const trial::Workload& workload,
                                             const ModelSettings& settings) {
  return std::make_unique<NnModel<ResidualNetwork>>(
      ResidualNetwork(shape, workload.classes, settings.activations), workload);
}

}  // namespace tune::worker
