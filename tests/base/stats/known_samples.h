#pragma once

#include <vector>

// Samples whose ranks, estimates and intervals were computed with SciPy 1.17 in its exact mode.
namespace tune::stats::known {

inline const std::vector<double> kSampleA = {.31, -.12, .58, .44, .27, .73, -.05, .39, .66, .21};
inline const std::vector<double> kSampleB = {
    -1.9, .4, 2.3, -.7, 1.1, 3.2, -2.6, .9, -.2, 1.6, .05, -1.3};
inline const std::vector<double> kSampleC = {
    5.12, 4.71, 6.03, 5.48, 4.95, 5.87, 5.26, 6.41, 4.38, 5.69};
inline const std::vector<double> kSampleD = {
    .82, 1.37, -.45, 2.91, .14, 1.75, -1.08, .63, 2.24, -.29, 1.52, .97, 3.48, -.76, 1.19, .38};

}  // namespace tune::stats::known
