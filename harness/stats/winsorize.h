#pragma once

#include <vector>

namespace tune::stats {

/// The values with single spikes pulled in: each one is limited to m +- 4 s, where m is the median
/// and s = 1.4826 MAD + 1e-9 of the *unmodified* values up to ten places to either side (fewer at
/// the ends). One pass; the unit is kept.
///
/// Assumes that what lasts longer than ten values is a level and not a spike: levels and slopes are
/// kept. Source: the running median and MAD filter of Hampel.
std::vector<double> winsorize(const std::vector<double>& values);

}  // namespace tune::stats
