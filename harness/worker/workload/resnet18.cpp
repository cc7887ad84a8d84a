#include "worker/workload/nn_model.h"

#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>

#include <string>
#include <vector>

namespace tune::worker {

std::unique_ptr<Model> make_resnet18(const trial::Workload& workload);

namespace {

// He, Zhang, Ren, Sun: Deep residual learning for image recognition (2015), with the strides, the
// biases (none before a batch norm) and the initialisation that every framework's ResNet-18 uses.

struct Shape {
  std::int64_t in, out, kernel, stride;
};

// torch::nn::Conv2d would first draw eleven million weights that are overwritten, in every trial.
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

class BasicBlockImpl : public torch::nn::Module {
 public:
  BasicBlockImpl(std::int64_t in, std::int64_t out, std::int64_t stride) {
    conv1_ = register_module("conv1", Conv(Shape{in, out, 3, stride}));
    bn1_ = register_module("bn1", torch::nn::BatchNorm2d(out));
    conv2_ = register_module("conv2", Conv(Shape{out, out, 3, 1}));
    bn2_ = register_module("bn2", torch::nn::BatchNorm2d(out));
    if (stride != 1 || in != out) {  // the shortcut has to change its shape as well
      shortcut_conv_ = register_module("shortcut_conv", Conv(Shape{in, out, 1, stride}));
      shortcut_bn_ = register_module("shortcut_bn", torch::nn::BatchNorm2d(out));
    }
  }

  at::Tensor forward(const at::Tensor& x) {
    at::Tensor y = call_module("bn1", bn1_, call_module("conv1", conv1_, x));
    at::relu_(y);
    y = call_module("bn2", bn2_, call_module("conv2", conv2_, y));
    y += shortcut_conv_ ? shortcut(x) : x;
    return at::relu_(y);
  }

 private:
  at::Tensor shortcut(const at::Tensor& x) {
    return call_module(
        "shortcut_bn", shortcut_bn_, call_module("shortcut_conv", shortcut_conv_, x));
  }

  Conv conv1_{nullptr}, conv2_{nullptr}, shortcut_conv_{nullptr};
  torch::nn::BatchNorm2d bn1_{nullptr}, bn2_{nullptr}, shortcut_bn_{nullptr};
};
TORCH_MODULE(BasicBlock);

class Resnet18Impl : public torch::nn::Module {
 public:
  explicit Resnet18Impl(std::int64_t classes) {
    conv_ = register_module("conv", Conv(Shape{3, 64, 7, 2}));
    bn_ = register_module("bn", torch::nn::BatchNorm2d(64));
    std::int64_t in = 64;
    for (const std::int64_t out : {64, 128, 256, 512}) {
      add_block(BasicBlock(in, out, out == 64 ? 1 : 2));
      add_block(BasicBlock(out, out, 1));
      in = out;
    }
    linear_ = register_module("linear", torch::nn::Linear(in, classes));
  }

  at::Tensor forward(const at::Tensor& images) {
    at::Tensor x = call_module("bn", bn_, call_module("conv", conv_, images));
    at::relu_(x);
    x = at::max_pool2d(x, 3, 2, 1);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      x = call_module(names_[i].c_str(), blocks_[i], x);
    }
    return call_module("linear", linear_, at::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
  }

 private:
  void add_block(BasicBlock block) {
    names_.push_back("block" + std::to_string(blocks_.size()));
    blocks_.push_back(register_module(names_.back(), std::move(block)));
  }

  Conv conv_{nullptr};
  torch::nn::BatchNorm2d bn_{nullptr};
  std::vector<std::string> names_;
  std::vector<BasicBlock> blocks_;
  torch::nn::Linear linear_{nullptr};
};
TORCH_MODULE(Resnet18);

}  // namespace

std::unique_ptr<Model> make_resnet18(const trial::Workload& workload) {
  return std::make_unique<NnModel<Resnet18>>(Resnet18(workload.classes), workload);
}

}  // namespace tune::worker
