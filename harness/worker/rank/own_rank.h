#pragma once

#include "trial/rank_report.h"
#include "worker/measured_window.h"
#include "worker/rank/rank_page.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace tune::worker {

/// Time within a step in which its rank only waited for the others, and where in the step.
struct ExposedCommunication {
  std::int64_t forward_ns = 0;   ///< for the buffers of rank 0
  std::int64_t backward_ns = 0;  ///< for gradients, after its own were ready
};

/// This process among those that train together: it tells the page which step it is in, and adds up
/// the measured steps.
class OwnRank {
 public:
  /// The page must outlive it.
  OwnRank(RankPage& page, std::int64_t rank) : page_(page), report_{.rank = rank} {}

  RankPage& page() { return page_; }
  std::int64_t number() const { return report_.rank; }

  /// Completes the report with what only the end of the window tells. Called once.
  void set_completion(std::function<void(trial::RankReport&)> complete) {
    complete_ = std::move(complete);
  }

  void begin_step(std::int64_t step) { page_.begin_step(number(), step); }
  /// The first step after the window publishes the report.
  void end_step(std::int64_t step, const StepRecord& record, const ExposedCommunication& exposed);

  /// The reports of all ranks. Call after a step behind the window; waits until all have ended it.
  std::vector<trial::RankReport> all_reports();

 private:
  RankPage& page_;
  trial::RankReport report_;
  std::function<void(trial::RankReport&)> complete_;
};

}  // namespace tune::worker
