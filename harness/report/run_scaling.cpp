// Ordered knobs: how far more of them pays.

#include "report/chart_scale.h"
#include "report/headline.h"
#include "report/number_text.h"
#include "report/run_sections.h"
#include "report/run_words.h"
#include "report/scaling.h"
#include "report/svg.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tune::report {

namespace {

using Align = Table::Align;
using result::Cell;
using result::Result;

constexpr std::size_t kLeastPoints = 3, kMostAxes = 6, kMostRows = 40;
constexpr double kWithin = 0.01;  // of the best, where an interval is missing
constexpr std::array<std::string_view, 2> kFirst = {"batch_size", "num_workers"};
/// Each further one is expected to do as much as the first.
constexpr std::array<std::string_view, 3> kWorkers = {"devices", "num_workers", "intra_op_threads"};

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

std::optional<std::int64_t> value_of(const Cell& cell, const std::string& knob) {
  const auto found = std::find_if(
      cell.knobs.begin(), cell.knobs.end(), [&](const auto& each) { return each.first == knob; });
  const auto* const value =
      found == cell.knobs.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

bool differs_here_alone(const Cell& cell, const Cell& centre, const std::string& knob) {
  return cell.knobs.size() == centre.knobs.size() &&
         std::equal(cell.knobs.begin(),
                    cell.knobs.end(),
                    centre.knobs.begin(),
                    [&](const auto& a, const auto& b) {
                      return a.first == b.first && (a.first == knob || a.second == b.second);
                    });
}

bool is_measured(const Cell& cell) {
  const std::optional<double>& rate = cell.throughput.value;
  return rate && is_drawable(*rate) && *rate > 0;
}

std::vector<ScalingPoint> points_around(const Result& result,
                                        const Cell& centre,
                                        const std::string& knob) {
  std::vector<ScalingPoint> points;
  for (const Cell& cell : result.cells) {
    const auto value = value_of(cell, knob);
    if (value && is_measured(cell) && differs_here_alone(cell, centre, knob)) {
      points.push_back({.value = *value, .cell = &cell, .rate = cell.throughput});
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
  const double alone = *first->rate.value / static_cast<double>(first->value);
  for (auto point = first; point != points.end(); ++point) {
    point->efficiency = *point->rate.value / static_cast<double>(point->value) / alone;
  }
}

bool reaches(const result::Number& rate, const result::Number& best) {
  if (rate.upper && best.lower) {
    return *rate.upper >= *best.lower;
  }
  return *rate.value >= *best.value * (1 - kWithin);
}

std::optional<ScalingAxis> axis_around(const Result& result,
                                       const Cell* centre,
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
        return *a.rate.value < *b.rate.value;
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

// The same rounds for all values: fresh pairs have only some of them.
std::string ranking_stage(const Cell& cell) {
  return cell.window.empty() ? "search" : shortened(cell.window, 40);
}

Table numbers(const ScalingAxis& axis) {
  const std::string knob = one_line(axis.knob);
  Table table{.caption = knob + ", all other knobs as in " + setting_words(*axis.centre) +
                         ", in the " + ranking_stage(*axis.centre),
              .columns = {{knob},
                          {"samples/s", Align::right},
                          {"interval", Align::right},
                          {"efficiency", Align::right},
                          {"remark"}}};
  const std::size_t rows = std::min(axis.points.size(), kMostRows);
  for (std::size_t i = 0; i < rows; ++i) {
    const ScalingPoint& point = axis.points[i];
    std::string remark = i == axis.best ? "fastest" : "";
    if (i == axis.knee) {
      remark += remark.empty() ? "knee" : ", knee";
    }
    table.rows.push_back({std::to_string(point.value),
                          number_text(*point.rate.value),
                          interval_text(point.rate),
                          point.efficiency ? share_text(*point.efficiency) : "",
                          remark});
  }
  return table;
}

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
             ? std::optional(*point.rate.value / *point.efficiency)
             : std::nullopt;
}

Plot plot_of(const ScalingAxis& axis) {
  std::vector<double> rates;
  rates.reserve(axis.points.size() * 2);
  for (const ScalingPoint& point : axis.points) {
    rates.push_back(*point.rate.value);
    rates.push_back(point.rate.upper.value_or(*point.rate.value));
  }
  return {.y = scale_from_zero(rates, {kBase, kTop}), .points = axis.points.size()};
}

void draw_band(Drawing& drawing, const ScalingAxis& axis, const Plot& plot) {
  std::vector<Point> corners;
  corners.reserve(axis.points.size() * 2);
  for (std::size_t i = 0; i < axis.points.size(); ++i) {
    const result::Number& rate = axis.points[i].rate;
    corners.push_back(plot.at(i, rate.upper.value_or(*rate.value)));
  }
  for (std::size_t i = axis.points.size(); i-- > 0;) {
    const result::Number& rate = axis.points[i].rate;
    corners.push_back(plot.at(i, rate.lower.value_or(*rate.value)));
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
  std::string text = std::to_string(point.value) + ": " + number_text(*point.rate.value) +
                     " samples/s " + interval_text(point.rate);
  return point.efficiency ? text + ", efficiency " + share_text(*point.efficiency) : text;
}

void draw_points(Drawing& drawing, const ScalingAxis& axis, const Plot& plot) {
  std::vector<Point> line;
  line.reserve(axis.points.size());
  for (std::size_t i = 0; i < axis.points.size(); ++i) {
    line.push_back(plot.at(i, *axis.points[i].rate.value));
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
  const Point at = plot.at(axis.knee, *axis.points[axis.knee].rate.value);
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

std::vector<ScalingAxis> scaling_axes(const Result& result) {
  const Cell* const best = result.find_cell(result.summary.best.side.cell);
  const Cell* const baseline = result.find_cell(result.summary.baseline.cell);
  std::vector<ScalingAxis> axes;
  for (const std::string& knob : ordered_knobs()) {
    auto axis = axis_around(result, best, knob);
    if (!axis) {
      axis = axis_around(result, baseline, knob);
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
            gain_text(*best.rate.value / *knee.rate.value - 1) +
            " over it, which the intervals cannot tell from nothing";
  }
  if (best.efficiency && axis.best > 0) {
    text += "; at " + std::to_string(best.value) + " a worker does " +
            share_text(*best.efficiency) + " of what one of the fewest did";
  }
  text += axis.best + 1 == axis.points.size() ? "; larger values were not tried" : "";
  return text + ".";
}

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

Section run_scaling_section(const Run& run) {
  Section section{.title = "Scaling"};
  const std::vector<ScalingAxis> axes = scaling_axes(run.result);
  if (axes.empty()) {
    return section;
  }
  std::vector<std::string> sentences;
  std::vector<Markup> drawings;
  const std::size_t drawn = std::min(axes.size(), kMostAxes);
  for (std::size_t i = 0; i < drawn; ++i) {
    sentences.push_back(knee_sentence(axes[i]));
    drawings.push_back(scaling_plot(axes[i], "scaling-" + std::to_string(i)));
  }
  section.add(List{sentences})
      .add(Figure{std::move(drawings),
                  "Line: medians over the rounds of the search, which ran all of these values; "
                  "band: their intervals. The knee is the "
                  "smallest value whose interval reaches that of the fastest. Values are at "
                  "equal distances."});
  for (std::size_t i = 0; i < drawn; ++i) {
    section.add(numbers(axes[i]));
    if (axes[i].points.size() > kMostRows) {
      section.add(Sentence{"The first " + std::to_string(kMostRows) + " of " +
                           std::to_string(axes[i].points.size()) +
                           " values; all stand among the settings."});
    }
  }
  return section;
}

}  // namespace tune::report
