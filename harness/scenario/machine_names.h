#pragma once

#include "expression/expression.h"
#include "machine/machine_facts.h"
#include "trial/knob_value.h"

namespace tune::scenario {

/// What a `forbid` expression may name: every knob, and facts of the machine.
const expression::NameTypes& forbid_names();

/// The same, and the knobs of a plug-in that are among these settings.
expression::NameTypes forbid_names(const trial::KnobSettings& settings);

/// The value of such a name for one cell on this machine; unknown where /proc does not say.
expression::Result forbid_value(const std::string& name,
                                const trial::KnobSettings& knobs,
                                const machine::MachineFacts& machine);

/// Whether this machine's CPU computes in this format by itself.
bool has_bf16(const machine::MachineFacts& machine);
bool has_fp16(const machine::MachineFacts& machine);

}  // namespace tune::scenario
