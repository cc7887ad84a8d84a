#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tune::campaign {

/// Samples that one pass over the data delivers: all, or whole batches only (drop_last). 0: the
/// size of the data is not known.
std::int64_t samples_per_epoch(const trial::Data& data, std::int64_t batch_size);

/// How long one pass over the data takes, from a part of one.
struct EpochTime {
  double total_s = 0;
  double training_s = 0;    ///< samples of an epoch ÷ rate between the begins of epochs
  double begin_s = 0;       ///< what the start of an epoch costs beyond a usual wait for data
  std::int64_t begins = 0;  ///< that were seen; 0: `begin_s` is not known and 0 is assumed
  std::string warning;      ///< a sentence, or ""
};

/// From the clean slices (taint.h) and the begins of epochs of one process. Nothing when the size
/// of the data is not known or no slice is clean.
std::optional<EpochTime> epoch_time(const trial::TrialReply& reply, const trial::TrialSpec& spec);

/// A whole epoch of a cell is worth running where it is expected to take at most so long.
constexpr double kCheapEpochS = 20;

/// Beyond this part of it, a computed epoch and a real one differ by more than a reader should
/// accept unseen. Our own cut: three times the smallest effect of interest.
constexpr double kEpochMismatch = 0.03;

/// What one whole epoch took, next to what is computed from the slices of the same process: what
/// differs between processes would hide what the sum leaves out.
struct EpochCheck {
  double estimated_s = 0, measured_s = 0;
  double difference() const { return estimated_s / measured_s - 1; }
};

/// From a trial whose first slice is a whole epoch. Nothing when that was disturbed, or every slice
/// after it, or when there is none.
std::optional<EpochCheck> epoch_check(const trial::TrialReply& reply, const trial::TrialSpec& spec);

/// "a whole epoch took 1.20s, the one computed from slices of the same process is 1.00s".
std::string mismatch_text(const EpochCheck& check);

}  // namespace tune::campaign
