#pragma once

#include <vector>

namespace tune::stats {

/// Middle of the sorted samples, mean of the two middle ones for an even count. Needs at least one
/// sample, all finite.
double median(std::vector<double> samples);

}  // namespace tune::stats
