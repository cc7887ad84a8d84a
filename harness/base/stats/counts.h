#pragma once

#include <cstdint>

namespace tune::stats {

/// How many of `all` things were hit: `hits` of the slices were tainted.
struct HitCount {
  std::int64_t hits = 0, all = 0;
};

/// Two-sided p for "both sides are hit equally often": the probability, given the four margins, of
/// every table that is as likely as this one or less (Fisher's exact test, the rule of R and
/// SciPy).
///
/// Assumes that each thing is hit independently of the others; slices of one process are hit in
/// bursts, so a small p is a reason to look, not a proof. Needs 0 <= hits <= all <= 10,000,000.
double fisher_exact(const HitCount& left, const HitCount& right);

/// Upper bound, at this confidence, of the probability of a false alarm after `alarms` of them in
/// `verdicts` A/A verdicts (Clopper and Pearson). Without an alarm it is 1 - .05^(1 / N), about
/// 3 / N ("rule of three"): 0 of 40, at most 7.2 %. 1 before the first verdict.
///
/// Assumes independent verdicts: for re-paired launches, count launches / 20. At most one alarm per
/// verdict.
double false_alarm_bound(std::int64_t alarms, std::int64_t verdicts, double confidence = 0.95);

}  // namespace tune::stats
