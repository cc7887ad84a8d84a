#include "report/scaling.h"

#include "report/chart_scale.h"
#include "report/headline.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;

constexpr std::size_t kLeastPoints = 3;
constexpr double kWithin = 0.01;  // of the best, where an interval is missing
constexpr std::array<std::string_view, 2> kFirst = {"batch_size", "num_workers"};
/// Each further one is expected to do as much as the first.
constexpr std::array<std::string_view, 2> kWorkers = {"num_workers", "intra_op_threads"};

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_ordered(const trial::Knob& knob) {
  return knob.kind == trial::Knob::Kind::integer && knob.name != "worker_nice";
}

std::vector<std::string> ordered_knobs() {
  std::vector<std::string> names(kFirst.begin(), kFirst.end());
  for (const trial::Knob& knob : trial::all_knobs()) {
    if (is_ordered(knob) && !is_one_of(kFirst, knob.name)) {
      names.push_back(knob.name);
    }
  }
  return names;
}

std::optional<std::int64_t> value_of(const CellResult& cell, const std::string& knob) {
  const auto found = cell.cell.knobs.find(knob);
  const auto* const value =
      found == cell.cell.knobs.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

bool differs_here_alone(const CellResult& cell, const CellResult& centre, const std::string& knob) {
  const trial::KnobSettings& own = cell.cell.knobs;
  const trial::KnobSettings& others = centre.cell.knobs;
  return own.size() == others.size() &&
         std::equal(own.begin(), own.end(), others.begin(), [&](const auto& a, const auto& b) {
           return a.first == b.first && (a.first == knob || a.second == b.second);
         });
}

bool is_measured(const CellResult& cell) {
  return cell.throughput && is_finite(*cell.throughput) && is_drawable(cell.throughput->value) &&
         cell.throughput->value > 0;
}

std::vector<ScalingPoint> points_around(const CampaignResult& result,
                                        const CellResult& centre,
                                        const std::string& knob) {
  std::vector<ScalingPoint> points;
  for (const CellResult& cell : result.cells) {
    const auto value = value_of(cell, knob);
    if (value && is_measured(cell) && differs_here_alone(cell, centre, knob)) {
      points.push_back({.value = *value, .cell = &cell, .rate = *cell.throughput});
    }
  }
  std::sort(
      points.begin(), points.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  return points;
}

void add_efficiencies(std::vector<ScalingPoint>& points) {
  const auto first = std::find_if(
      points.begin(), points.end(), [](const ScalingPoint& point) { return point.value > 0; });
  if (first == points.end()) {
    return;
  }
  const double alone = first->rate.value / static_cast<double>(first->value);
  for (auto point = first; point != points.end(); ++point) {
    point->efficiency = point->rate.value / static_cast<double>(point->value) / alone;
  }
}

bool reaches(const campaign::Estimate& rate, const campaign::Estimate& best) {
  if (rate.upper && best.lower) {
    return *rate.upper >= *best.lower;
  }
  return rate.value >= best.value * (1 - kWithin);
}

std::optional<ScalingAxis> axis_around(const CampaignResult& result,
                                       const CellResult* centre,
                                       const std::string& knob) {
  if (centre == nullptr) {
    return std::nullopt;
  }
  ScalingAxis axis{.knob = knob, .centre = centre};
  axis.points = points_around(result, *centre, knob);
  if (axis.points.size() < kLeastPoints) {
    return std::nullopt;
  }
  if (is_one_of(kWorkers, knob)) {
    add_efficiencies(axis.points);
  }
  const auto best =
      std::max_element(axis.points.begin(), axis.points.end(), [](const auto& a, const auto& b) {
        return a.rate.value < b.rate.value;
      });
  const auto knee =
      std::find_if(axis.points.begin(), axis.points.end(), [&](const ScalingPoint& point) {
        return reaches(point.rate, best->rate);
      });
  axis.best = static_cast<std::size_t>(best - axis.points.begin());
  axis.knee =
      static_cast<std::size_t>((knee == axis.points.end() ? best : knee) - axis.points.begin());
  return axis;
}

}  // namespace

std::vector<ScalingAxis> scaling_axes(const CampaignResult& result) {
  const Conclusion conclusion = conclude(result);
  std::vector<ScalingAxis> axes;
  for (const std::string& knob : ordered_knobs()) {
    auto axis = axis_around(result, conclusion.best, knob);
    if (!axis) {
      axis = axis_around(result, conclusion.baseline, knob);
    }
    if (axis) {
      axes.push_back(std::move(*axis));
    }
  }
  return axes;
}

std::string knee_sentence(const ScalingAxis& axis) {
  const ScalingPoint& best = axis.points.at(axis.best);
  const ScalingPoint& knee = axis.points.at(axis.knee);
  std::string text = one_line(axis.knob) + ": ";
  if (axis.knee == axis.best) {
    text += std::to_string(best.value) + " is the fastest of " +
            std::to_string(axis.points.size()) + " values, and no smaller one reaches it";
  } else {
    text += std::to_string(knee.value) + " is enough: " + std::to_string(best.value) + " gives " +
            gain_text(best.rate.value / knee.rate.value - 1) +
            " over it, which the intervals cannot tell from nothing";
  }
  if (best.efficiency && axis.best > 0) {
    text += "; at " + std::to_string(best.value) + " a worker does " +
            share_text(*best.efficiency) + " of what one of the fewest did";
  }
  text += axis.best + 1 == axis.points.size() ? "; larger values were not tried" : "";
  return text + ".";
}

}  // namespace tune::report
