#pragma once

#include "measure/runner/trial_outcome.h"
#include "trial/trial_spec.h"

#include <string>

namespace tune::worker {

/// A short trial: the MLP at 32 pixels on resident batches of 4, one warm-up step and one slice of
/// two steps, in a folder named after the running test.
trial::TrialSpec small_spec();

/// The same with ResNet-18.
trial::TrialSpec small_resnet();

/// The same on 12 generated JPEG files, made once and kept.
trial::TrialSpec small_resnet_on_images();

/// small_spec() with a token model: two layers of 32 numbers, 256 different tokens, sequences of
/// 16, no dropout.
trial::TrialSpec small_bert();
trial::TrialSpec small_gpt();

/// The latter on a file of 16 generated sequences, made once and kept.
trial::TrialSpec small_gpt_on_tokens();

/// Runs the real worker as the orchestrator does, through `program` when one is given.
runner::TrialOutcome run(const trial::TrialSpec& spec, const std::string& program = WORKER_PROGRAM);

/// The reply of a trial that must complete; fails the running test when it does not.
trial::TrialReply reply_of(const trial::TrialSpec& spec);

/// A shell script that runs `prepare` ("ulimit -v 1000") and then the worker.
std::string worker_after(const std::string& prepare);

/// The output of a shell command.
std::string output_of(const std::string& command);

}  // namespace tune::worker
