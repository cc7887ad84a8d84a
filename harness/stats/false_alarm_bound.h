#pragma once

#include <cstdint>

namespace tune::stats {

/// Upper bound, at this confidence, of the probability of a false alarm after `alarms` of them in
/// `verdicts` A/A verdicts (Clopper and Pearson). Without an alarm it is 1 - .05^(1 / N), about
/// 3 / N ("rule of three"): 0 of 40, at most 7.2 %. 1 where there is no verdict yet.
///
/// Assumes independent verdicts: of re-paired launches count launches / 20. Zero alarms or more, at
/// most one a verdict.
double false_alarm_bound(std::int64_t alarms, std::int64_t verdicts, double confidence = 0.95);

}  // namespace tune::stats
