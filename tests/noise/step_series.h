#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::noise {

/// How the steps of one process get to their steady time, or do not.
enum class SeriesShape {
  flat,
  cliff,       ///< three steps of two and a half times the time
  plateau,     ///< forty steps that are 12 % slower
  fading,      ///< 20 % slower at first, fading in 15 steps
  thermal,     ///< 4 % faster at first, fading in 30 steps
  late_shift,  ///< 4 % slower from step 170 on
  drift,       ///< 8 % slower every 200 steps
};
inline constexpr SeriesShape kAllShapes[] = {SeriesShape::flat,
                                             SeriesShape::cliff,
                                             SeriesShape::plateau,
                                             SeriesShape::fading,
                                             SeriesShape::thermal,
                                             SeriesShape::late_shift,
                                             SeriesShape::drift};
const char* to_string(SeriesShape shape);

struct SeriesSetting {
  SeriesShape shape = SeriesShape::flat;
  std::size_t steps = 200;
  double sd = 0.01;  ///< of the logarithm of each step; neighbours correlate with .3
};

inline constexpr double kSteadyStep_ns = 50e6;

/// Step times in ns around kSteadyStep_ns; 2 % of the steps are 5 to 30 % longer.
std::vector<double> draw_step_times(const SeriesSetting& setting, std::uint64_t seed);

/// ln(time without noise / kSteadyStep_ns) at the end of the series.
double final_level(const SeriesSetting& setting);

}  // namespace tune::noise
