#pragma once

#include "trial/trial_reply.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::script {

/// Time between the start of a step and its end in which no step was made, ns.
struct Outside {
  std::int64_t evaluation_ns = 0;  ///< batches that are only looked at
  std::int64_t checkpoint_ns = 0;  ///< torch.save, a framework's checkpoint
  std::int64_t pause_ns = 0;       ///< whatever the script does between two epochs
  std::int64_t tune_ns = 0;        ///< commands of tune

  std::int64_t total_ns() const { return evaluation_ns + checkpoint_ns + pause_ns + tune_ns; }
  bool operator==(const Outside&) const = default;
};

/// From one question for a batch to the first one after an optimizer has made its step.
struct Step {
  std::int64_t begin_ns = 0, end_ns = 0;  ///< CLOCK_MONOTONIC
  std::int64_t samples = 0, batches = 0, optimizer_steps = 0;
  std::int64_t epochs_begun = 0;  ///< 1: its loader began an epoch
  trial::PhaseSums phases;
  Outside outside;

  /// Without what is outside; the phases sum to it.
  std::int64_t wall_ns() const { return end_ns - begin_ns - outside.total_ns(); }
  bool operator==(const Step&) const = default;
};

/// A command that was obeyed, and how many steps were complete by then.
struct Mark {
  std::int64_t number = 0, moment_ns = 0;
  std::size_t steps = 0;
  bool operator==(const Mark&) const = default;
};

/// All that the notes of a process say.
struct GroupedNotes {
  std::vector<Step> steps;
  std::vector<Mark> marks;
  std::vector<std::int64_t> training_loaders, evaluating_loaders;  ///< by number, ascending
  /// What each loader that feeds steps gives; nothing where they differ or one does not say it.
  std::optional<std::int64_t> epoch_samples;
  std::int64_t evaluations = 0;  ///< stretches of batches that were only looked at
  bool evaluates_with_gradients = false;
  std::int64_t optimizer_steps = 0;
  std::int64_t lost_notes = 0;  ///< steps in which notes were lost are left out
  bool has_optimizer = false;   ///< else each backward pass counts as a step
  bool has_loader = false;
  std::size_t recorded_from = 0, recorded_to = 0;  ///< steps that torch.profiler recorded
};

}  // namespace tune::script
