// Your own model for tune: two layers on images. The hidden layer can take the batch in pieces, set
// by its own knob; `tune run plugin.yaml` measures what that costs.

#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>

#include <cmath>
#include <tune/workload.h>

namespace {

using namespace tune::plugin;

class MyModel : public Workload {
 public:
  explicit MyModel(const Setup& setup)
      : is_trained_(setup.task == "train"), chunks_(get<std::int64_t>(setup.knobs, "chunks")) {
    std::int64_t in = 1;
    for (const std::int64_t size : setup.input) {
      in *= size;
    }
    const auto width = get<std::int64_t>(setup.params, "width");
    hidden_ = weights(width, in);
    scores_ = weights(setup.classes, width);
  }

  static std::vector<Knob> knobs() {
    return {Knob::whole("chunks", 1, 1, 1024, "pieces in which the hidden layer takes a batch")};
  }

  std::vector<at::Tensor> parameters() override { return {hidden_, scores_}; }

  at::Tensor step(const Batch& batch) override {
    std::vector<at::Tensor> parts;
    for (const at::Tensor& part : batch.input.flatten(1).chunk(chunks_)) {
      parts.push_back(at::gelu(at::linear(part, hidden_)));
    }
    const at::Tensor scores = at::linear(at::cat(parts), scores_);
    return is_trained_ ? at::cross_entropy_loss(scores, batch.labels) : scores;
  }

 private:
  static at::Tensor weights(std::int64_t out, std::int64_t in) {
    at::Tensor tensor = at::randn({out, in}).mul_(1 / std::sqrt(static_cast<double>(in)));
    tensor.set_requires_grad(true);
    return tensor;
  }

  bool is_trained_;
  std::int64_t chunks_;
  at::Tensor hidden_, scores_;
};

}  // namespace

TUNE_PLUGIN(MyModel)
