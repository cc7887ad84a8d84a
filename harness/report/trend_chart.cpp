#include "report/trend_chart.h"

#include "report/chart_scale.h"
#include "report/svg.h"
#include "report/trend_text.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tune::report {

namespace {

using history::Change;
using history::Level;
using history::Point;
using history::Series;
using history::Trend;

constexpr double kWidth = 960, kLeft = 132, kRight = 936, kTop = 44, kHeight = 150;
constexpr double kBase = kTop + kHeight, kBottom = 34;
constexpr double kLeastRange = 0.1;  // of the largest size: noise must not look large
constexpr double kMargin = 0.08;     // of the range, above and below
constexpr int kMostTicks = 4;
constexpr std::size_t kDay = 10;  // "2026-11-20"

struct Scale {
  double low = 0, high = 1;
  std::size_t first = 0, count = 2;

  double x(std::size_t index) const {
    return kLeft + (static_cast<double>(index - first) + 0.5) / static_cast<double>(count) *
                       (kRight - kLeft);
  }
  double y(double value) const { return kBase - (value - low) / (high - low) * kHeight; }
};

Scale scale_of(const Series& series) {
  const std::vector<double> all = values_of(series);
  Scale scale;
  scale.first = all.size() - std::min(all.size(), kMostDrawnRuns);
  scale.count = all.size() - scale.first;
  const auto [low, high] =
      std::minmax_element(all.begin() + static_cast<std::ptrdiff_t>(scale.first), all.end());
  const double size = std::max(std::fabs(*low), std::fabs(*high));
  const double range = std::max({*high - *low, kLeastRange * size, 1e-12});
  const double middle = (*low + *high) / 2;
  scale.low = middle - range * (0.5 + kMargin);
  scale.high = middle + range * (0.5 + kMargin);
  return scale;
}

void draw_axis(Drawing& drawing, const Series& series, const Scale& scale) {
  const double step = tick_step(scale.high - scale.low, kMostTicks);
  const double first = std::ceil(scale.low / step);
  for (int i = 0; i <= kMostTicks; ++i) {
    const double value = (first + i) * step;
    if (value > scale.high) {
      break;
    }
    drawing.line({kLeft, scale.y(value)}, {kRight, scale.y(value)}, Colour::rule);
    drawing.text({kLeft - 8, scale.y(value) + 4},
                 trend_value_text(value, series.unit),
                 Colour::quiet,
                 {.size = 12, .anchor = Drawing::Anchor::end});
  }
  const auto day = [](const Point& point) { return one_line(point.started_utc.substr(0, kDay)); };
  drawing.text(
      {kLeft, kBase + 22}, day(series.points.at(scale.first)), Colour::quiet, {.size = 12});
  drawing.text({kRight, kBase + 22},
               day(series.points.back()),
               Colour::quiet,
               {.size = 12, .anchor = Drawing::Anchor::end});
}

// How a level compares with the one before; the first with nothing.
Colour colour_of(const Series& series, const Trend& trend, std::size_t level) {
  if (level == 0) {
    return Colour::quiet;
  }
  const bool is_higher = trend.levels[level].value > trend.levels[level - 1].value;
  return is_higher == history::is_higher_better(series.metric) ? Colour::better : Colour::worse;
}

void draw_levels(Drawing& drawing, const Series& series, const Trend& trend, const Scale& scale) {
  for (std::size_t i = 0; i < trend.levels.size(); ++i) {
    const Level& level = trend.levels[i];
    if (level.end <= scale.first) {
      continue;
    }
    const double y = std::clamp(scale.y(level.value), kTop, kBase);
    const double half = (kRight - kLeft) / static_cast<double>(scale.count) / 2;
    drawing.line({scale.x(std::max(level.first, scale.first)) - half, y},
                 {scale.x(level.end - 1) + half, y},
                 colour_of(series, trend, i),
                 4);
  }
}

void draw_changes(Drawing& drawing, const Series& series, const Trend& trend, const Scale& scale) {
  for (const Change& change : trend.changes) {
    if (change.at <= scale.first) {
      continue;
    }
    const double x = (scale.x(change.at - 1) + scale.x(change.at)) / 2;
    drawing.group(change_sentence(series, change));
    drawing.line({x, kTop - 8}, {x, kBase}, Colour::ink, 1, Drawing::Line::dashed);
    drawing.ungroup();
  }
}

void draw_points(Drawing& drawing, const Series& series, const Scale& scale) {
  for (std::size_t i = scale.first; i < series.points.size(); ++i) {
    const Point& point = series.points[i];
    const bool is_last = i + 1 == series.points.size();
    drawing.group(point_name(point) + ": " + trend_value_text(point.value, series.unit));
    drawing.hollow_circle({scale.x(i), scale.y(point.value)}, is_last ? 5 : 3, Colour::ink);
    drawing.ungroup();
  }
}

std::string in_words(const Series& series, const Trend& trend) {
  std::string text = range_sentence(series) + ".";
  for (const Change& change : trend.changes) {
    text += " " + change_sentence(series, change) + ".";
  }
  return trend.changes.empty() ? text + " No change of level is seen." : text;
}

}  // namespace

std::optional<Markup> trend_chart(const Series& series, const Trend& trend) {
  if (series.points.size() < 2) {
    return std::nullopt;
  }
  const Scale scale = scale_of(series);
  Drawing drawing({.id = "history",
                   .title = one_line(series.metric) + " of " + shortened(series.scenario, 60) +
                            " over its runs",
                   .description = in_words(series, trend),
                   .width = kWidth,
                   .height = kBase + kBottom});
  drawing.legend_entry();
  drawing.text({12, 20}, range_sentence(series), Colour::ink, {.size = 12});
  drawing.ungroup();
  draw_axis(drawing, series, scale);
  draw_levels(drawing, series, trend, scale);
  draw_changes(drawing, series, trend, scale);
  draw_points(drawing, series, scale);
  return drawing.finished();
}

}  // namespace tune::report
