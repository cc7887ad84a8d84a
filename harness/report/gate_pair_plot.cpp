#include "report/gate_pair_plot.h"

#include "report/chart_scale.h"
#include "report/number_text.h"
#include "report/svg.h"

#include <algorithm>
#include <cmath>

namespace tune::report {

namespace {

constexpr double kWidth = 960, kEdge = 12, kLeft = 84, kRight = 936;
constexpr double kTop = 52, kHeight = 220, kBase = kTop + kHeight, kBottom = 46;
constexpr double kRadius = 4.5, kHalf = 0.5;
constexpr std::int64_t kMostNumbers = 24;  // below the plot
constexpr std::size_t kLongestMetric = 60;

std::vector<PairChange> drawable(const std::vector<PairChange>& pairs) {
  std::vector<PairChange> kept;
  for (const PairChange& pair : pairs) {
    if (is_drawable(pair.change) && kept.size() < kMostPairsDrawn) {
      kept.push_back(pair);
    }
  }
  return kept;
}

bool has_band(const PairPlot& plot) {
  return plot.change.lower && plot.change.upper && is_drawable(*plot.change.lower) &&
         is_drawable(*plot.change.upper);
}

LinearScale scale_of(const std::vector<PairChange>& pairs, const PairPlot& plot) {
  std::vector<double> values = {0};
  for (const PairChange& pair : pairs) {
    values.push_back(pair.change);
  }
  for (const auto& value : {plot.change.value, plot.change.lower, plot.change.upper, plot.budget}) {
    if (value) {
      values.push_back(*value);
    }
  }
  return scale_over(values, {kBase, kTop});
}

std::string reading_of(const std::vector<PairChange>& pairs, const PairPlot& plot) {
  const auto [low, high] =
      std::minmax_element(pairs.begin(), pairs.end(), [](const PairChange& a, const PairChange& b) {
        return a.change < b.change;
      });
  std::string text = shortened(plot.metric, kLongestMetric) + ": " +
                     counted(static_cast<std::int64_t>(pairs.size()), "pair") + " from " +
                     gain_text(low->change) + " to " + gain_text(high->change);
  if (plot.change.value && is_drawable(*plot.change.value)) {
    text += ", together " + gain_text(plot.change.value);
    text += has_band(plot) ? " " + gain_interval_text(plot.change) : "";
  }
  if (plot.budget) {
    text += ", budget at " + gain_text(*plot.budget);
  }
  return text;
}

std::string tip_of(const PairChange& pair) {
  return "pair " + std::to_string(pair.pair) + ", " +
         (pair.baseline_first ? "baseline" : "candidate") + " first: " + gain_text(pair.change);
}

void draw_judgement(Drawing& drawing,
                    const PairPlot& plot,
                    const LinearScale& x,
                    const LinearScale& y) {
  const double end = x.at(static_cast<double>(plot.judged) + kHalf);
  if (plot.judged > 0 && has_band(plot)) {
    const double top = y.at(*plot.change.upper), bottom = y.at(*plot.change.lower);
    drawing.tint({kLeft, top, end - kLeft, std::max(1.0, bottom - top)}, Colour::transfer, 0.2);
  }
  if (plot.judged > 0 && plot.change.value && is_drawable(*plot.change.value)) {
    const double at = y.at(*plot.change.value);
    drawing.line({kLeft, at}, {end, at}, Colour::transfer, 2);
  }
  drawing.line({kLeft, y.at(0)}, {kRight, y.at(0)}, Colour::ink);
  if (plot.budget && is_drawable(*plot.budget)) {
    const double at = y.at(*plot.budget);
    drawing.line({kLeft, at}, {kRight, at}, Colour::worse, 2, Drawing::Line::dashed);
    drawing.text({kRight, *plot.budget < 0 ? at - 6 : at + 15},  // towards 0
                 "budget " + gain_text(*plot.budget),
                 Colour::worse,
                 {.size = 12, .anchor = Drawing::Anchor::end});
  }
}

void draw_looks(Drawing& drawing, const PairPlot& plot, const LinearScale& x) {
  std::size_t number = 0;
  for (const std::int64_t pairs : plot.looks) {
    ++number;
    const double place = static_cast<double>(pairs) + kHalf;
    if (pairs < 1 || place > x.high) {
      continue;
    }
    const double at = x.at(place);
    drawing.line({at, kTop - 4}, {at, kBase}, Colour::quiet, 1, Drawing::Line::dashed);
    drawing.text({at, kTop - 8},
                 "look " + std::to_string(number),
                 Colour::quiet,
                 {.size = 12, .anchor = Drawing::Anchor::end});
  }
}

void draw_numbers(Drawing& drawing, std::int64_t last, const LinearScale& x) {
  const std::int64_t step = (last + kMostNumbers - 1) / kMostNumbers;
  for (std::int64_t pair = 1; pair <= last; pair += step) {
    drawing.text({x.at(static_cast<double>(pair)), kBase + 18},
                 std::to_string(pair),
                 Colour::quiet,
                 {.size = 12, .anchor = Drawing::Anchor::middle});
  }
  drawing.text({kRight, kBase + 38},
               "pair, in the order run",
               Colour::quiet,
               {.size = 12, .anchor = Drawing::Anchor::end});
}

void draw_pair(Drawing& drawing, const PairChange& pair, Point at) {
  drawing.group(tip_of(pair));
  if (pair.baseline_first) {
    drawing.hollow_circle(at, kRadius, Colour::ink);
  } else {
    drawing.polygon({{at.x, at.y - kRadius - 1},
                     {at.x + kRadius + 1, at.y},
                     {at.x, at.y + kRadius + 1},
                     {at.x - kRadius - 1, at.y}},
                    Colour::ink);
  }
  drawing.ungroup();
}

}  // namespace

std::optional<Markup> gate_pair_plot(const PairPlot& plot) {
  const std::vector<PairChange> pairs = drawable(plot.pairs);
  if (pairs.empty()) {
    return std::nullopt;
  }
  const std::string reading = reading_of(pairs, plot);
  Drawing drawing({.id = plot.id,
                   .title = "Difference of each pair: " + shortened(plot.metric, kLongestMetric),
                   .description = reading + ".",
                   .width = kWidth,
                   .height = kBase + kBottom});
  const std::int64_t last = pairs.back().pair;
  const LinearScale x = {
      .low = kHalf, .high = static_cast<double>(last) + kHalf, .from = kLeft, .to = kRight};
  const LinearScale y = scale_of(pairs, plot);
  drawing.legend_entry();
  drawing.text({kEdge, 18}, reading, Colour::ink, {.size = 12});
  drawing.ungroup();
  draw_rows(drawing, y, {kLeft, kRight}, gain_text);
  draw_looks(drawing, plot, x);
  draw_judgement(drawing, plot, x, y);
  for (const PairChange& pair : pairs) {
    draw_pair(drawing, pair, {x.at(static_cast<double>(pair.pair)), y.at(pair.change)});
  }
  draw_numbers(drawing, last, x);
  return drawing.finished();
}

}  // namespace tune::report
