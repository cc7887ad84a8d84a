#pragma once

#include "runner/trial_outcome.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tune::runner {

/// Reads the lines "<phase> <monotonic ns>" of a worker (trial/trial_phase.h) from arbitrary
/// pieces.
class PhaseLines {
 public:
  /// Phases that began in this piece of text.
  std::vector<PhaseArrival> add(std::string_view text, std::int64_t now_ns);

  /// The last phase begun; "" before the first.
  const std::string& phase() const { return phase_; }

  /// What was wrong with the first line that made no sense; "" when all did. Later ones are not
  /// read.
  const std::string& problem() const { return problem_; }

 private:
  void add_line(std::string_view line, std::int64_t now_ns, std::vector<PhaseArrival>& begun);

  std::string partial_, phase_, problem_;
  std::int64_t last_ns_ = 0;  // when the last one began
  std::size_t next_ = 0;      // in trial::kPhases: a phase may be left out, none comes back
};

}  // namespace tune::runner
