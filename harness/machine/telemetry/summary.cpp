#include "machine/telemetry/summary.h"

#include "base/stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tune::telemetry {

namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
constexpr double kNano = 1e-9;

// Readings [first, last] of the trail: a point of a curve, or the window.
struct Stretch {
  std::size_t first = 0, last = 0;
};

// A curve has a point for every `least_ns`, which readings at the edges of phases may cut short.
std::vector<Stretch> points_of(const Trail& trail, std::int64_t least_ns) {
  std::vector<Stretch> points;
  const auto fuzzy_ns = static_cast<std::int64_t>(static_cast<double>(least_ns) * 0.75);
  std::size_t first = 0;
  for (std::size_t i = 1; i < trail.samples(); ++i) {
    if (trail.time_ns(i) - trail.time_ns(first) >= fuzzy_ns) {
      points.push_back({first, i});
      first = i;
    }
  }
  return points;
}

// A kernel that counts in ticks of 10 ms may report 1.03 busy CPUs for one CPU.
double bounded(const SeriesInfo& info, double value) {
  return info.unit == "ratio" ? std::min(value, 1.0) : value;
}

// The growth rate of a count over the stretch, from all of its pieces that are known.
double rate_in(const Trail& trail, std::size_t series, Stretch stretch) {
  double growth = 0;
  double seconds = 0;
  std::size_t before = stretch.first;
  for (std::size_t i = stretch.first + 1; i <= stretch.last; ++i) {
    const double grown = trail.value(i, series) - trail.value(before, series);
    if (std::isfinite(grown) && grown >= 0) {
      growth += grown;
      seconds += static_cast<double>(trail.time_ns(i) - trail.time_ns(before)) * kNano;
    }
    before = i;
  }
  return seconds > 0 ? growth / seconds : kNoValue;
}

// The mean of the readings after the first, which belongs to the time before.
double level_in(const Trail& trail, std::size_t series, Stretch stretch) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = stretch.first + 1; i <= stretch.last; ++i) {
    if (const double value = trail.value(i, series); std::isfinite(value)) {
      sum += value;
      ++count;
    }
  }
  return count > 0 ? sum / count : kNoValue;
}

double value_in(const Trail& trail, std::size_t series, Stretch stretch) {
  const SeriesInfo& info = trail.series()[series];
  const double read =
      info.kind == Kind::count ? rate_in(trail, series, stretch) : level_in(trail, series, stretch);
  return bounded(info, read * info.factor);
}

// The readings next to the window's edges; nothing when it contains fewer than two.
std::optional<Stretch> stretch_of(const Trail& trail, Span window) {
  const auto nearest = [&](std::int64_t time_ns) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < trail.samples(); ++i) {
      if (std::abs(trail.time_ns(i) - time_ns) < std::abs(trail.time_ns(best) - time_ns)) {
        best = i;
      }
    }
    return best;
  };
  if (trail.samples() < 2) {
    return std::nullopt;
  }
  const Stretch stretch{nearest(window.begin_ns), nearest(window.end_ns)};
  return stretch.last > stretch.first ? std::optional(stretch) : std::nullopt;
}

class Summariser {
 public:
  Summariser(const Trail& trail, std::optional<Span> window, std::int64_t least_ns)
      : trail_(trail), points_(points_of(trail, least_ns)) {
    if (window) {
      window_ = stretch_of(trail, *window);
      window_reason_ = window_ ? "" : "the measured window was too short for two readings";
    }
  }

  const std::vector<Stretch>& points() const { return points_; }

  SeriesSummary summary_of(std::size_t series) const {
    SeriesSummary summary;
    summary.info = trail_.series()[series];
    summary.reason = summary.info.reason;
    if (!summary.reason.empty()) {
      return summary;
    }
    for (const Stretch& point : points_) {
      summary.curve.push_back(value_in(trail_, series, point));
    }
    if (std::none_of(summary.curve.begin(), summary.curve.end(), [](double v) {
          return std::isfinite(v);
        })) {
      summary.curve.clear();
    }
    if (!window_) {
      summary.reason = window_reason_;
      return summary;
    }
    take_window(series, summary);
    return summary;
  }

 private:
  void take_window(std::size_t series, SeriesSummary& summary) const {
    const double mean = value_in(trail_, series, *window_);
    if (!std::isfinite(mean)) {
      summary.reason = "it could not be read in the measured window";
      return;
    }
    std::vector<double> inside;
    for (std::size_t i = 0; i < summary.curve.size(); ++i) {
      const bool is_inside = points_[i].first >= window_->first && points_[i].last <= window_->last;
      if (is_inside && std::isfinite(summary.curve[i])) {
        inside.push_back(summary.curve[i]);
      }
    }
    if (inside.empty()) {  // shorter than one point of the curve
      inside.push_back(mean);
    }
    summary.n = static_cast<std::int64_t>(inside.size());
    summary.mean = mean;
    summary.min = *std::min_element(inside.begin(), inside.end());
    summary.max = *std::max_element(inside.begin(), inside.end());
    summary.median = stats::median(std::move(inside));
  }

  const Trail& trail_;
  std::vector<Stretch> points_;
  std::optional<Stretch> window_;
  std::string window_reason_ = "the trial did not reach its measured window";
};

}  // namespace

const SeriesSummary* TrialTelemetry::find(std::string_view id) const {
  for (const SeriesSummary& one : series) {
    if (one.info.id == id) {
      return &one;
    }
  }
  return nullptr;
}

TrialTelemetry summarise(const Sampler::Result& read,
                         Span trial,
                         std::optional<Span> window,
                         std::int64_t period_ns) {
  TrialTelemetry result;
  const Trail& trail = read.trail;
  result.start_ns = trial.begin_ns;
  result.window = window;
  result.samples = static_cast<std::int64_t>(trail.samples());
  result.cpu_ratio =
      read.wall_ns > 0 ? static_cast<double>(read.cpu_ns) / static_cast<double>(read.wall_ns) : 0;
  // Readings at the edges shift the points; room for a few more keeps them below the most.
  constexpr std::int64_t kRoom = TrialTelemetry::kMostPoints * 3 / 4;
  const std::int64_t seen_ns =
      trail.samples() > 1 ? trail.time_ns(trail.samples() - 1) - trail.time_ns(0) : 0;
  const Summariser summariser(trail, window, std::max(period_ns, seen_ns / kRoom * 4 / 3));
  for (const Stretch& point : summariser.points()) {
    result.times_s.push_back(static_cast<double>(trail.time_ns(point.last) - trial.begin_ns) *
                             kNano);
  }
  result.series.reserve(trail.series().size());
  for (std::size_t i = 0; i < trail.series().size(); ++i) {
    result.series.push_back(summariser.summary_of(i));
  }
  return result;
}

std::optional<double> device_joules(const TrialTelemetry& telemetry) {
  if (!telemetry.window) {
    return std::nullopt;
  }
  double watts = 0;
  bool is_known = false;
  for (const SeriesSummary& series : telemetry.series) {
    if (series.info.id != "gpu_power") {
      continue;
    }
    if (!series.mean) {
      return std::nullopt;
    }
    watts += *series.mean;
    is_known = true;
  }
  const auto window_ns = static_cast<double>(telemetry.window->end_ns - telemetry.window->begin_ns);
  return is_known ? std::optional(watts * window_ns * 1e-9) : std::nullopt;
}

}  // namespace tune::telemetry
