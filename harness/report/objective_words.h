#pragma once

#include "base/stats/number.h"
#include "scenario/scenario.h"

#include <optional>
#include <string>
#include <string_view>

namespace tune::report {

/// How a gain reads: "faster" where the run was asked for speed, else "better", for a setting that
/// needs less memory may well be slower.
struct ObjectiveWords {
  std::string_view metric;  ///< as a scenario names it; "" for speed, whatever measures it
  const char* name;         ///< "peak memory"
  const char* unit;         ///< of metric_text(), or "ratio"
  const char *better, *worse;
  const char* direction;  ///< what is wanted of it: "more" or "less"
};

/// Those of the `objective:` of a scenario; of speed for every metric that is not in the list.
const ObjectiveWords& objective_words(std::string_view metric);

/// The metric whose words hold: that of the scenario, or "" where throughput ranks instead of it,
/// as on a CPU, whose energy nothing counts.
std::string objective_metric(const scenario::Scenario& scenario, const std::string& device);

/// 84.3 % faster, 0.4 % slower: without the sign that the word already says.
std::string faster_text(std::optional<double> gain, const ObjectiveWords& words);

/// "median peak memory 334 MiB against 368 MiB".
std::string change_words(const ObjectiveWords& words,
                         const stats::Number& best,
                         const stats::Number& baseline);

/// A gain that fresh pairs confirmed: "84.3 % faster"; of a vague size "at least" the lower end.
std::string sure_faster_text(const stats::Number& gain, const ObjectiveWords& words);

}  // namespace tune::report
