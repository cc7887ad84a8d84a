#include "measure/gate/same_numerics.h"

#include "trial/numerics.h"

namespace tune::gate {

bool same_numerics(const Side& baseline, const Side& candidate) {
  if (baseline.spec.workload != candidate.spec.workload ||
      baseline.spec.data != candidate.spec.data || baseline.files != candidate.files) {
    return false;
  }
  for (const auto& [name, value] : candidate.spec.knobs) {
    const auto other = baseline.spec.knobs.find(name);
    const bool is_same = other != baseline.spec.knobs.end() && other->second == value;
    if (!is_same && (name == "batch_size" ||
                     trial::may_change_numbers(name, baseline.spec.knobs, candidate.spec.knobs))) {
      return false;
    }
  }
  return true;
}

}  // namespace tune::gate
