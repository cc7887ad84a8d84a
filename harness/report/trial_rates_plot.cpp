#include "base/units.h"
#include "report/chart_scale.h"
#include "report/number_text.h"
#include "report/run_charts.h"
#include "report/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tune::report {

namespace {

constexpr double kWidth = 960, kEdge = 12, kLeft = 84, kRight = 936;
constexpr double kHeading = 34, kHeight = 90, kPitch = 148, kBottom = 24;
constexpr double kLeastRange = 0.01;  // of the median: noise must not look large
constexpr std::size_t kLongestLabel = 90;

std::vector<RateLane> drawable(const std::vector<RateLane>& lanes) {
  std::vector<RateLane> kept;
  for (const RateLane& lane : lanes) {
    RateLane part{.label = lane.label, .rates = {}};
    for (const TrialRate& rate : lane.rates) {
      if (is_drawable(rate.begin_s) && is_drawable(rate.ratio) &&
          part.rates.size() < kMostRatesDrawn) {
        part.rates.push_back(rate);
      }
    }
    if (part.rates.size() > 1) {
      kept.push_back(std::move(part));
    }
  }
  return kept;
}

struct Range {
  double first_s = 0, last_s = 0;
  double most = kLeastRange;
};

Range range_of(const std::vector<RateLane>& lanes) {
  Range range{.first_s = lanes.front().rates.front().begin_s};
  range.last_s = range.first_s;
  for (const RateLane& lane : lanes) {
    for (const TrialRate& rate : lane.rates) {
      range.first_s = std::min(range.first_s, rate.begin_s);
      range.last_s = std::max(range.last_s, rate.begin_s);
      range.most = std::max(range.most, std::fabs(rate.ratio));
    }
  }
  return range;
}

double largest_of(const RateLane& lane) {
  double largest = 0;
  for (const TrialRate& rate : lane.rates) {
    largest = std::max(largest, std::fabs(rate.ratio));
  }
  return largest;
}

std::string reading_of(const RateLane& lane) {
  return shortened(lane.label, kLongestLabel) + ": " +
         counted(static_cast<std::int64_t>(lane.rates.size()), "trial") + ", at most " +
         share_text(largest_of(lane)) + " from their median";
}

void draw_lane(Drawing& drawing, const RateLane& lane, const Range& range, double top) {
  const LinearScale x = {.low = range.first_s,
                         .high = std::max(range.last_s, range.first_s + 1e-3),
                         .from = kLeft + 10,
                         .to = kRight - 10};
  const LinearScale y =
      scale_over({-range.most, range.most}, {top + kHeading + kHeight, top + kHeading});
  drawing.text({kEdge, top + 16}, reading_of(lane), Colour::ink, {.size = 12});
  draw_rows(drawing, y, {kLeft, kRight}, gain_text);
  drawing.line({kLeft, y.at(0)}, {kRight, y.at(0)}, Colour::quiet, 1, Drawing::Line::dashed);
  for (const TrialRate& rate : lane.rates) {
    drawing.group(shortened(rate.trial, kLongestLabel) + ": " + gain_text(rate.ratio) + " after " +
                  format_seconds(rate.begin_s));
    drawing.hollow_circle({x.at(rate.begin_s), y.at(rate.ratio)}, 4, Colour::transfer);
    drawing.ungroup();
  }
}

}  // namespace

std::optional<Markup> trial_rates_plot(const std::vector<RateLane>& lanes) {
  const std::vector<RateLane> drawn = drawable(lanes);
  if (drawn.empty()) {
    return std::nullopt;
  }
  std::string description;
  for (const RateLane& lane : drawn) {
    description += description.empty() ? "" : ". ";
    description += reading_of(lane);
  }
  const double height = kPitch * static_cast<double>(drawn.size());
  Drawing drawing({.id = "rates",
                   .title = "Throughput of every trial over the time of the run",
                   .description = description + ".",
                   .width = kWidth,
                   .height = height + kBottom});
  const Range range = range_of(drawn);
  double top = 0;
  for (const RateLane& lane : drawn) {
    draw_lane(drawing, lane, range, top);
    top += kPitch;
  }
  drawing.text({kLeft, height + 10}, format_seconds(range.first_s), Colour::quiet, {.size = 12});
  drawing.text({kRight, height + 10},
               format_seconds(range.last_s) + " after the first trial began",
               Colour::quiet,
               {.size = 12, .anchor = Drawing::Anchor::end});
  return drawing.finished();
}

}  // namespace tune::report
