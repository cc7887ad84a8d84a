#include "step_series.h"

#include "random_stream.h"

#include <cmath>

namespace tune::noise {

namespace {

constexpr double kRho = 0.3;
constexpr double kSpikeChance = 0.02;

double level_at(SeriesShape shape, double step) {
  switch (shape) {
    case SeriesShape::flat:
      return 0;
    case SeriesShape::cliff:
      return step < 3 ? std::log(2.5) : 0;
    case SeriesShape::plateau:
      return step < 40 ? std::log(1.12) : 0;
    case SeriesShape::fading:
      return std::log1p(0.2 * std::exp(-step / 15));
    case SeriesShape::thermal:
      return std::log1p(-0.04 * std::exp(-step / 30));
    case SeriesShape::late_shift:
      return step < 170 ? 0 : std::log(1.04);
    case SeriesShape::drift:
      return std::log1p(0.08 * step / 200);
  }
  return 0;
}

}  // namespace

const char* to_string(SeriesShape shape) {
  switch (shape) {
    case SeriesShape::flat:
      return "flat";
    case SeriesShape::cliff:
      return "cliff";
    case SeriesShape::plateau:
      return "plateau";
    case SeriesShape::fading:
      return "fading";
    case SeriesShape::thermal:
      return "thermal";
    case SeriesShape::late_shift:
      return "late shift";
    case SeriesShape::drift:
      return "drift";
  }
  return "";
}

std::vector<double> draw_step_times(const SeriesSetting& setting, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<double> times;
  times.reserve(setting.steps);
  double noise = setting.sd * random.normal();
  for (std::size_t step = 0; step < setting.steps; ++step) {
    noise = kRho * noise + setting.sd * std::sqrt(1 - kRho * kRho) * random.normal();
    const double spike = random.chance(kSpikeChance) ? 0.05 + 0.25 * random.uniform() : 0;
    const double level = level_at(setting.shape, static_cast<double>(step));
    times.push_back(kSteadyStep_ns * std::exp(level + noise + spike));
  }
  return times;
}

double final_level(const SeriesSetting& setting) {
  return level_at(setting.shape, static_cast<double>(setting.steps));
}

}  // namespace tune::noise
