#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

namespace tune::fake {

/// What tune-script adds to a reply: all settings take effect, but no model has a parameter of four
/// dimensions. Places are the lines of train.py in the script's folder that have "DataLoader(",
/// "optim.", "net(" and ".backward(". Nothing when the trial is not one of a script.
void add_script(const trial::TrialSpec& spec, trial::TrialReply& reply);

/// The agent's facts about it: facts.json in the script's folder, if there is one.
void keep_facts(const trial::TrialSpec& spec);

}  // namespace tune::fake
