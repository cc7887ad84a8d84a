#pragma once

#include "base/expression/expression.h"
#include "machine/machine_facts.h"
#include "scenario/scenario.h"
#include "trial/knob_catalog.h"

#include <string>

namespace tune::scenario {

/// What a `forbid` expression may name: every knob, and facts of the machine.
const expression::NameTypes& forbid_names();

/// The same, and the knobs of a plug-in that are among these settings.
expression::NameTypes forbid_names(const trial::KnobSettings& settings);

/// The value of such a name for one cell on this machine; unknown where /proc does not say.
expression::Result forbid_value(const std::string& name,
                                const trial::KnobSettings& knobs,
                                const machine::MachineFacts& machine);

bool has_cpu_flag(const machine::MachineFacts& machine, const std::string& flag);

/// Whether this machine's CPU computes in this format by itself.
bool has_bf16(const machine::MachineFacts& machine);
bool has_fp16(const machine::MachineFacts& machine);

/// Where trials run that ask for `asked` (auto, cpu or cuda): "cpu" or "cuda". What is asked for by
/// name is taken at its word, so that a worker that cannot have it says why.
std::string settled_device(const std::string& asked, bool has_gpu);

/// What trials of this machine lose: "trials run on the CPU: the driver supports CUDA 12.4, ...",
/// or that what a scenario asks for by name is not available; "" where the device is what one
/// expects.
std::string lost_gpu_text(const machine::MachineFacts& machine);

/// Writes into the scenario what its words mean on the device of its trials: `auto` is that device,
/// and activities that the file does not name are those that it has.
void settle_device(Scenario& scenario, const std::string& device);

}  // namespace tune::scenario
