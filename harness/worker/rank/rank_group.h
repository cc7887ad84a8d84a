#pragma once

#include "trial/trial_spec.h"
#include "worker/cuda/plugin.h"
#include "worker/rank/gradient_average.h"
#include "worker/rank/own_rank.h"
#include "worker/workload/model.h"

#include <vector>

namespace tune::worker {

/// What a process has that trains together with others.
struct RankGroup {
  RankGroup(const trial::TrialSpec& spec, RankPage& page, const Model& model, CudaPlugin* gpu)
      : rank(page, spec.rank), average(spec, rank, model, gpu) {}

  std::vector<int> companions = {};  ///< of rank 0: the processes of the others
  OwnRank rank;
  GradientAverage average;
};

}  // namespace tune::worker
