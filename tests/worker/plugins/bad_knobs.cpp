// Declares a knob that no scenario could name.

#include "worker/plugin/workload.h"

namespace {

class BadKnobs : public tune::plugin::Workload {
 public:
  explicit BadKnobs(const tune::plugin::Setup& /*setup*/) {}
  static std::vector<tune::plugin::Knob> knobs() {
    return {tune::plugin::Knob::flag("Use Cache", true, "")};
  }
  std::vector<at::Tensor> parameters() override { return {}; }
  at::Tensor step(const tune::plugin::Batch& batch) override { return batch.input; }
};

}  // namespace

TUNE_PLUGIN(BadKnobs)
