#pragma once

#include "trial/knob_catalog.h"
#include "trial/trial_spec.h"

#include <string>
#include <vector>

namespace tune::trial {

/// The facts that decide whether a knob can matter.
struct KnobSituation {
  const KnobSettings& settings;  ///< every knob of the catalogue
  const KnobSettings& usual;     ///< replaces a value that makes no difference
  const Workload& workload;
  const std::string& data_source;  ///< of a scenario's `data:`
  bool on_cpu = false;             ///< the trials run on the CPU
  /// As in /proc/cpuinfo; null: unknown, and nothing is concluded from them.
  const std::vector<std::string>* cpu_flags = nullptr;
};

/// A knob that cannot matter here.
struct IgnoredKnob {
  std::string name;
  std::string reason;  ///< "the model has no convolutions"

  bool operator==(const IgnoredKnob&) const = default;
};

/// The knobs that make no difference there, whatever their values, by the cases in their catalogue
/// entries. The planner merges their values, the worker says that it ignores them.
std::vector<IgnoredKnob> idle_knobs(const KnobSituation& situation);

}  // namespace tune::trial
