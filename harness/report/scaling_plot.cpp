#include "report/scaling_plot.h"

#include "report/chart_scale.h"
#include "report/number_text.h"
#include "report/svg.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

namespace {

constexpr double kWidth = 960, kLeft = 76, kRight = 936, kTop = 44, kBase = 224, kBottom = 46;
constexpr std::size_t kMostLabels = 16, kMostMarks = 60;

struct Plot {
  LinearScale y;
  std::size_t points = 1;

  double x(std::size_t point) const {
    return kLeft +
           (static_cast<double>(point) + 0.5) / static_cast<double>(points) * (kRight - kLeft);
  }
  Point at(std::size_t point, double rate) const { return {x(point), y.at(rate)}; }
};

// What a point would have if each worker did as much as the fewest did.
std::optional<double> ideal_of(const ScalingPoint& point) {
  return point.efficiency && *point.efficiency > 0
             ? std::optional(point.rate.value / *point.efficiency)
             : std::nullopt;
}

Plot plot_of(const ScalingAxis& axis) {
  std::vector<double> rates;
  rates.reserve(axis.points.size() * 2);
  for (const ScalingPoint& point : axis.points) {
    rates.push_back(point.rate.value);
    rates.push_back(point.rate.upper.value_or(point.rate.value));
  }
  return {.y = scale_from_zero(rates, {kBase, kTop}), .points = axis.points.size()};
}

void draw_band(Drawing& drawing, const ScalingAxis& axis, const Plot& plot) {
  std::vector<Point> corners;
  corners.reserve(axis.points.size() * 2);
  for (std::size_t i = 0; i < axis.points.size(); ++i) {
    const campaign::Estimate& rate = axis.points[i].rate;
    corners.push_back(plot.at(i, rate.upper.value_or(rate.value)));
  }
  for (std::size_t i = axis.points.size(); i-- > 0;) {
    const campaign::Estimate& rate = axis.points[i].rate;
    corners.push_back(plot.at(i, rate.lower.value_or(rate.value)));
  }
  drawing.polygon(corners, Colour::rule);
}

// Until it leaves the plot.
void draw_ideal(Drawing& drawing, const ScalingAxis& axis, const Plot& plot) {
  std::vector<Point> line;
  for (std::size_t i = 0; i < axis.points.size(); ++i) {
    const auto ideal = ideal_of(axis.points[i]);
    if (!ideal || *ideal > plot.y.high) {
      continue;
    }
    line.push_back(plot.at(i, *ideal));
  }
  if (line.size() > 1) {
    drawing.polyline(line, {.colour = Colour::quiet, .width = 1.5, .style = Drawing::Line::dashed});
  }
}

std::string reading_of(const ScalingPoint& point) {
  std::string text = std::to_string(point.value) + ": " + number_text(point.rate.value) +
                     " samples/s " + interval_text(point.rate);
  return point.efficiency ? text + ", efficiency " + share_text(*point.efficiency) : text;
}

void draw_points(Drawing& drawing, const ScalingAxis& axis, const Plot& plot) {
  std::vector<Point> line;
  line.reserve(axis.points.size());
  for (std::size_t i = 0; i < axis.points.size(); ++i) {
    line.push_back(plot.at(i, axis.points[i].rate.value));
  }
  drawing.polyline(line, {.colour = Colour::transfer, .width = 2});
  const std::size_t each = (axis.points.size() + kMostLabels - 1) / kMostLabels;
  for (std::size_t i = 0; i < axis.points.size(); ++i) {
    if (axis.points.size() <= kMostMarks || i == axis.knee || i == axis.best) {
      drawing.group(reading_of(axis.points[i]));
      drawing.hollow_circle(line[i], i == axis.knee ? 7 : 4, Colour::transfer);
      drawing.ungroup();
    }
    if (i % each == 0) {
      drawing.text({plot.x(i), kBase + 20},
                   std::to_string(axis.points[i].value),
                   Colour::ink,
                   {.size = 12, .anchor = Drawing::Anchor::middle});
    }
  }
}

void draw_knee(Drawing& drawing, const ScalingAxis& axis, const Plot& plot) {
  const Point at = plot.at(axis.knee, axis.points[axis.knee].rate.value);
  drawing.line({at.x, at.y + 8}, {at.x, kBase}, Colour::ink, 1, Drawing::Line::dashed);
  drawing.text({at.x, at.y - 12},
               "knee",
               Colour::ink,
               {.size = 12, .anchor = Drawing::Anchor::middle, .weight = Drawing::Weight::bold});
}

bool has_ideal(const ScalingAxis& axis) {
  return std::any_of(axis.points.begin(), axis.points.end(), [](const ScalingPoint& point) {
    return point.efficiency.has_value();
  });
}

}  // namespace

Markup scaling_plot(const ScalingAxis& axis, const std::string& id) {
  constexpr std::size_t kLongestName = 60;
  const Plot plot = plot_of(axis);
  Drawing drawing({.id = id,
                   .title = "Throughput along " + shortened(axis.knob, kLongestName),
                   .description = knee_sentence(axis),
                   .width = kWidth,
                   .height = kBase + kBottom});
  const std::string ideal =
      has_ideal(axis) ? "; dashed: each worker does as much as the first" : "";
  drawing.text({12, 20},
               "samples/s along " + shortened(axis.knob, kLongestName) + ideal,
               Colour::ink,
               {.size = 12});
  draw_rows(drawing, plot.y, {kLeft, kRight}, number_text);
  draw_band(drawing, axis, plot);
  draw_ideal(drawing, axis, plot);
  draw_points(drawing, axis, plot);
  draw_knee(drawing, axis, plot);
  drawing.text({kRight, kBase + 40},
               shortened(axis.knob, kLongestName),
               Colour::quiet,
               {.size = 12, .anchor = Drawing::Anchor::end});
  return drawing.finished();
}

}  // namespace tune::report
