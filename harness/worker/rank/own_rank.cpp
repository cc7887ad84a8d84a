#include "worker/rank/own_rank.h"

#include "machine/memory.h"

#include <chrono>
#include <thread>

namespace tune::worker {

void OwnRank::end_step(std::int64_t step,
                       const StepRecord& record,
                       const ExposedCommunication& exposed) {
  if (page_.is_in_window(step)) {
    if (report_.steps == 0 && number() > 0) {  // rank 0 knows its window beforehand
      machine::restart_peak_memory();
    }
    report_.steps += 1;
    report_.samples += record.samples;
    report_.own += record.phases;
    report_.own.forward_ns -= exposed.forward_ns;
    report_.own.backward_ns -= exposed.backward_ns;
    report_.communication_ns += exposed.forward_ns + exposed.backward_ns;
  } else if (page_.is_behind_window(step) && !page_.has_reported(number())) {
    if (complete_) {
      complete_(report_);
    }
    page_.report(report_);
  }
}

std::vector<trial::RankReport> OwnRank::all_reports() {
  constexpr std::chrono::microseconds kLook(200);
  page_.wait_for_others(number(), true);
  for (std::int64_t rank = 0; rank < page_.ranks(); ++rank) {
    while (!page_.has_reported(rank)) {
      std::this_thread::sleep_for(kLook);
    }
  }
  page_.wait_for_others(number(), false);
  return page_.reports();
}

}  // namespace tune::worker
