#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tune::worker {

/// Writes a TorchScript module line by line, as torch.jit.script would make it from a network in
/// Python. Each function adds one operator and returns the name of its result.
class ScriptBuilder {
 public:
  explicit ScriptBuilder(const std::string& name);

  std::string conv(const std::string& x,
                   std::int64_t in,
                   std::int64_t out,
                   std::int64_t kernel,
                   std::int64_t stride);
  std::string batch_norm(const std::string& x, std::int64_t channels);
  std::string linear(const std::string& x, std::int64_t in, std::int64_t out);
  std::string embedding(const std::string& tokens, std::int64_t count, std::int64_t width);
  /// A buffer of one number, 1 in the first call of forward, 2 in the next.
  std::string call_count();
  /// `raise ValueError(message)` as torch.jit.script compiles it, if `condition` is true.
  void raise_value_error(const std::string& condition, const std::string& message);
  /// Any expression; parameters are self.p0, self.p1, ...
  std::string assign(const std::string& expression);

  /// "self.p0": normal numbers with that deviation.
  std::string parameter(const std::vector<std::int64_t>& shape,
                        double deviation,
                        bool is_frozen = false);

  /// forward returns `result`; `arguments` come after `x` ("", ", y").
  void save(const std::string& file, const std::string& result, const std::string& arguments = "");

 private:
  std::string attribute(at::Tensor value, bool is_buffer);

  torch::jit::Module module_;
  std::string body_;
  int attributes_ = 0, values_ = 0;
};

/// ResNet-18 as in harness/worker/workload/resnet18.cpp.
void save_resnet18(const std::string& file, std::int64_t classes);

}  // namespace tune::worker
