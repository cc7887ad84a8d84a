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
  double begin_s = 0;       ///< what the begin of an epoch costs beyond a usual wait for data
  std::int64_t begins = 0;  ///< that were seen; 0: `begin_s` is not known and 0 is assumed
  std::string warning;      ///< a sentence, or ""
};

/// From the clean slices (taint.h) and the begins of epochs of one process. Nothing when the size
/// of the data is not known or no slice is clean.
std::optional<EpochTime> epoch_time(const trial::TrialReply& reply, const trial::TrialSpec& spec);

}  // namespace tune::campaign
