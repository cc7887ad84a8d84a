#include "advice/attribution.h"

#include "trial/trial_reply.h"

#include <cstddef>

namespace tune::advice {

namespace {

double seconds_a_sample(const PhaseTotals& totals, const trial::StepPhase& phase) {
  return static_cast<double>(totals.phases.*phase.ns) * 1e-9 / static_cast<double>(totals.samples);
}

}  // namespace

PhaseTotals& PhaseTotals::operator+=(const trial::Slice& slice) {
  phases += slice.phases;
  samples += slice.samples;
  has_graph = has_graph || trial::has_graph(slice);
  return *this;
}

std::optional<Attribution> attribute(const PhaseTotals& before,
                                     const PhaseTotals& after,
                                     double gain) {
  if (before.samples <= 0 || after.samples <= 0 || before.has_graph || after.has_graph) {
    return std::nullopt;
  }
  Attribution found;
  for (std::size_t i = 0; i < trial::kStepPhases.size(); ++i) {
    const trial::StepPhase& phase = trial::kStepPhases[i];
    PhaseChange& change = found.phases[i];
    change.id = phase.id;
    change.label = phase.label;
    change.before_s = seconds_a_sample(before, phase);
    change.after_s = seconds_a_sample(after, phase);
    change.saved_s = change.before_s - change.after_s;
    found.before_s += change.before_s;
    found.after_s += change.after_s;
    found.saved_s += change.saved_s;
  }
  if (!(found.saved_s * gain > 0)) {
    return std::nullopt;
  }
  for (PhaseChange& change : found.phases) {
    change.share = change.saved_s / found.saved_s;
    change.gain = gain * change.share;
  }
  return found;
}

}  // namespace tune::advice
