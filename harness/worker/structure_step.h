#pragma once

#include "worker/running_trial.h"

namespace tune::worker {

/// Counts one further step, which is in no list of the reply: a usual one, that neither begins nor
/// ends an epoch, writes nothing and keeps no loss for the record. Where the next step is not one,
/// those before it are run first. So two trials of one spec count the same however long they took.
void count_usual_step(RunningTrial& trial);

}  // namespace tune::worker
