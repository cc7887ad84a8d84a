#pragma once

#include <cstdint>

namespace tune::stats {

/// Of `all` things, `hits` were hit: slices, and those that were tainted.
struct HitCount {
  std::int64_t hits = 0, all = 0;
};

/// Two-sided p for "both sides are hit equally often": the probability, given the four margins, of
/// every table that is as likely as this one or less (Fisher's exact test, the rule of R and
/// SciPy).
///
/// Assumes that each thing is hit independently of the others; slices of one process are hit in
/// bursts, so a small p calls for a look and is no proof. Needs 0 <= hits <= all <= 10,000,000.
double fisher_exact(const HitCount& left, const HitCount& right);

}  // namespace tune::stats
