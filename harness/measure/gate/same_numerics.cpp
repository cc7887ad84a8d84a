#include "measure/gate/same_numerics.h"

#include "trial/knob_catalog.h"

namespace tune::gate {

bool same_numerics(const Side& baseline, const Side& candidate) {
  if (baseline.spec.workload != candidate.spec.workload ||
      baseline.spec.data != candidate.spec.data || baseline.files != candidate.files) {
    return false;
  }
  for (const auto& [name, value] : candidate.spec.knobs) {
    const trial::Knob* const knob = trial::find_knob(name);
    const auto other = baseline.spec.knobs.find(name);
    const bool is_same = other != baseline.spec.knobs.end() && other->second == value;
    if (!is_same && (name == "batch_size" || knob == nullptr || !knob->preserves_numerics)) {
      return false;
    }
  }
  return true;
}

}  // namespace tune::gate
