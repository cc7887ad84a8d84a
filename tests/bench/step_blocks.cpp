#include "step_blocks.h"

#include "base/stats/quantile.h"
#include "trial/knob_catalog.h"
#include "worker/recorder/range.h"

#include <vector>

namespace tune::bench {

namespace {

trial::TrialSpec spec_of(const std::string& model,
                         std::int64_t image_size,
                         std::int64_t batch_size) {
  trial::TrialSpec spec;
  spec.workload.model = model;
  spec.workload.device = "cpu";
  spec.workload.image_size = image_size;
  spec.workload.classes = 10;
  spec.data.samples = 64;
  spec.knobs = trial::default_settings();
  spec.knobs["batch_size"] = batch_size;
  spec.knobs["intra_op_threads"] = std::int64_t{1};
  return spec;
}

}  // namespace

StepBlocks::StepBlocks(const std::string& model, std::int64_t image_size, std::int64_t batch_size)
    : spec_(spec_of(model, image_size, batch_size)),
      settings_(worker::apply_knobs(spec_)),
      loader_(worker::make_loader(spec_)),
      model_(worker::make_model(spec_.workload, settings_.model)),
      training_(spec_, settings_, *model_, *loader_) {}

double StepBlocks::block_ns(int steps) {
  std::vector<double> found;
  for (int i = 0; i < steps; ++i) {
    training_.clock().restart();
    const worker::Range range("ProfilerStep#0");
    training_.fetch();
    found.push_back(static_cast<double>(training_.compute().phases.total_ns()));
  }
  return stats::median(found);
}

}  // namespace tune::bench
