#include "script_builder.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/frontend/resolver.h>

#include <cmath>
#include <memory>
#include <utility>

namespace tune::worker {

namespace {

std::string pair_of(std::int64_t number) {
  return "[" + std::to_string(number) + ", " + std::to_string(number) + "]";
}

std::string basic_block(ScriptBuilder& net,
                        const std::string& x,
                        std::int64_t in,
                        std::int64_t out,
                        std::int64_t stride) {
  std::string y = net.batch_norm(net.conv(x, in, out, 3, stride), out);
  y = net.assign("torch.relu_(" + y + ")");
  y = net.batch_norm(net.conv(y, out, out, 3, 1), out);
  std::string shortcut = x;
  if (stride != 1 || in != out) {
    shortcut = net.batch_norm(net.conv(x, in, out, 1, stride), out);
  }
  y = net.assign(y + ".add_(" + shortcut + ")");
  return net.assign("torch.relu_(" + y + ")");
}

// Only LibTorch knows `torch`; Python's compiler turns a `raise` into an operator of prim.
struct OperatorNames : torch::jit::NativeResolver {
  std::shared_ptr<torch::jit::SugaredValue> resolveValue(
      const std::string& name,
      torch::jit::GraphFunction& function,
      const torch::jit::SourceRange& place) override {
    return name == "prim" ? std::make_shared<torch::jit::BuiltinModule>("prim")
                          : NativeResolver::resolveValue(name, function, place);
  }
};

}  // namespace

ScriptBuilder::ScriptBuilder(const std::string& name) : module_(c10::QualifiedName(name)) {
  module_.register_attribute("training", c10::BoolType::get(), true);
}

std::string ScriptBuilder::attribute(at::Tensor value, bool is_buffer) {
  std::string name = "p" + std::to_string(attributes_++);
  module_.register_parameter(name, std::move(value), is_buffer);
  return "self." + name;
}

std::string ScriptBuilder::parameter(const std::vector<std::int64_t>& shape,
                                     double deviation,
                                     bool is_frozen) {
  at::Tensor value = at::randn(shape).mul_(deviation);
  value.set_requires_grad(!is_frozen);
  return attribute(std::move(value), /*is_buffer=*/false);
}

std::string ScriptBuilder::assign(const std::string& expression) {
  std::string name = "v" + std::to_string(values_++);
  body_ += "    " + name + " = " + expression + "\n";
  return name;
}

// The deviation is that of torch::nn::init::kaiming_normal_ with fan_out.
std::string ScriptBuilder::conv(const std::string& x,
                                std::int64_t in,
                                std::int64_t out,
                                std::int64_t kernel,
                                std::int64_t stride) {
  const double deviation = std::sqrt(2.0 / static_cast<double>(out * kernel * kernel));
  const std::string weight = parameter({out, in, kernel, kernel}, deviation);
  return assign("torch.conv2d(" + x + ", " + weight + ", None, " + pair_of(stride) + ", " +
                pair_of(kernel / 2) + ")");
}

std::string ScriptBuilder::batch_norm(const std::string& x, std::int64_t channels) {
  at::Tensor scale = at::ones({channels});
  at::Tensor offset = at::zeros({channels});
  scale.set_requires_grad(true);
  offset.set_requires_grad(true);
  const std::string weight = attribute(std::move(scale), false);
  const std::string bias = attribute(std::move(offset), false);
  const std::string mean = attribute(at::zeros({channels}), true);
  const std::string variance = attribute(at::ones({channels}), true);
  return assign("torch.batch_norm(" + x + ", " + weight + ", " + bias + ", " + mean + ", " +
                variance + ", self.training, 0.1, 1e-05, True)");
}

std::string ScriptBuilder::linear(const std::string& x, std::int64_t in, std::int64_t out) {
  const std::string weight = parameter({out, in}, std::sqrt(1.0 / static_cast<double>(in)));
  const std::string bias = parameter({out}, 0.01);
  return assign("torch.linear(" + x + ", " + weight + ", " + bias + ")");
}

std::string ScriptBuilder::embedding(const std::string& tokens,
                                     std::int64_t count,
                                     std::int64_t width) {
  return assign("torch.embedding(" + parameter({count, width}, 1) + ", " + tokens + ")");
}

std::string ScriptBuilder::call_count() {
  return assign(attribute(at::zeros({}), /*is_buffer=*/true) + ".add_(1)");
}

void ScriptBuilder::raise_value_error(const std::string& condition, const std::string& message) {
  body_ += "    if " + condition + ":\n";
  body_ += "        prim.RaiseException(\"" + message + "\", \"builtins.ValueError\")\n";
}

void ScriptBuilder::save(const std::string& file,
                         const std::string& result,
                         const std::string& arguments) {
  module_.define("def forward(self, x" + arguments + "):\n" + body_ + "    return " + result + "\n",
                 std::make_shared<OperatorNames>());
  module_.save(file);
}

void save_resnet18(const std::string& file, std::int64_t classes) {
  ScriptBuilder net("ResNet18");
  std::string x = net.batch_norm(net.conv("x", 3, 64, 7, 2), 64);
  x = net.assign("torch.relu_(" + x + ")");
  x = net.assign("torch.max_pool2d(" + x + ", [3, 3], [2, 2], [1, 1])");
  std::int64_t in = 64;
  for (const std::int64_t out : {64, 128, 256, 512}) {
    x = basic_block(net, x, in, out, out == 64 ? 1 : 2);
    x = basic_block(net, x, out, out, 1);
    in = out;
  }
  x = net.assign("torch.flatten(torch.adaptive_avg_pool2d(" + x + ", [1, 1]), 1)");
  net.save(file, net.linear(x, in, classes));
}

}  // namespace tune::worker
