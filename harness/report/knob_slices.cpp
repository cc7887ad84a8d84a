#include "base/stats/quantile.h"
#include "report/chart_scale.h"
#include "report/number_text.h"
#include "report/run_charts.h"
#include "report/svg.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr double kWidth = 960, kEdge = 12, kAxis = 64, kTop = 44, kHeight = 120, kRowHeight = 186;
constexpr double kGap = 24, kTitle = 12, kCharacter = 6.6;
constexpr std::size_t kColumns = 3, kLongestName = 34;

/// What the settings with one value of a knob gave.
struct SliceValue {
  std::string label;
  std::vector<double> rates;
  std::optional<double> of_centre;  ///< the setting that differs from the centre here alone
};

struct KnobSlice {
  std::string knob;
  std::vector<SliceValue> values;
};

// True of the settings that have all other knobs as the centre has them, the centre included.
bool is_on_slice(const ExploredCell& cell, const ExploredCell& centre, std::size_t knob) {
  for (std::size_t i = 0; i < cell.levels.size(); ++i) {
    if (i != knob && cell.levels[i] != centre.levels[i]) {
      return false;
    }
  }
  return true;
}

const ExploredCell* find_centre(const ExploredGrid& grid, const result::Cell* centre) {
  const auto found = std::find_if(grid.cells.begin(),
                                  grid.cells.end(),
                                  [&](const ExploredCell& cell) { return cell.cell == centre; });
  return found == grid.cells.end() ? nullptr : &*found;
}

std::vector<SliceValue> thinned(std::vector<SliceValue> values) {
  if (values.size() <= kMostSliceValues) {
    return values;
  }
  std::vector<SliceValue> kept;
  kept.reserve(kMostSliceValues);
  for (std::size_t i = 0; i < kMostSliceValues; ++i) {
    kept.push_back(std::move(values[i * (values.size() - 1) / (kMostSliceValues - 1)]));
  }
  return kept;
}

KnobSlice slice_of(const ExploredGrid& grid, std::size_t knob, const ExploredCell* centre) {
  KnobSlice slice{.knob = grid.knobs[knob].name, .values = {}};
  slice.values.resize(grid.knobs[knob].values.size());
  for (std::size_t i = 0; i < slice.values.size(); ++i) {
    slice.values[i].label = grid.knobs[knob].label(i);
  }
  for (const ExploredCell& cell : grid.cells) {
    if (!cell.rate) {
      continue;
    }
    SliceValue& value = slice.values[cell.levels[knob]];
    value.rates.push_back(*cell.rate);
    if (centre != nullptr && is_on_slice(cell, *centre, knob)) {
      value.of_centre = cell.rate;
    }
  }
  slice.values = thinned(std::move(slice.values));
  return slice;
}

std::vector<std::size_t> shown_knobs(const ExploredGrid& grid, const Importance& importance) {
  std::vector<std::size_t> order = knobs_by_importance(grid, importance);
  order.resize(std::min(order.size(), kMostSlicedKnobs));
  return order;
}

/// Where the panel of one knob lies.
struct Panel {
  double left = 0, width = 0, top = 0;
  std::size_t values = 1;

  double x(std::size_t value) const {
    return left + (static_cast<double>(value) + 0.5) / static_cast<double>(values) * width;
  }
};

std::string tip_of(const SliceValue& value) {
  if (value.rates.empty()) {
    return value.label + ": no setting was measured";
  }
  const auto [low, high] = std::minmax_element(value.rates.begin(), value.rates.end());
  std::string text = value.label + ": " + number_text(*low) + " to " + number_text(*high);
  text += " samples/s, median " + number_text(stats::median(value.rates));
  if (value.of_centre) {
    text += "; " + number_text(*value.of_centre) + " on the slice";
  }
  return text;
}

void draw_value(Drawing& drawing, const SliceValue& value, double x, const LinearScale& y) {
  drawing.group(tip_of(value));
  if (!value.rates.empty()) {
    const auto [low, high] = std::minmax_element(value.rates.begin(), value.rates.end());
    const double middle = y.at(stats::median(value.rates));
    drawing.line({x, y.at(*low)}, {x, y.at(*high)}, Colour::quiet, 1.5);
    drawing.line({x - 6, middle}, {x + 6, middle}, Colour::ink, 2);
  }
  if (value.of_centre) {
    drawing.hollow_circle({x, y.at(*value.of_centre)}, 4, Colour::transfer);
  }
  drawing.ungroup();
}

void draw_labels(Drawing& drawing, const KnobSlice& slice, const Panel& panel) {
  const double pitch = panel.width / static_cast<double>(slice.values.size());
  const auto room = static_cast<std::size_t>(std::max(0.0, std::floor(pitch / kCharacter) - 1));
  const bool all_fit = room >= 4;
  for (std::size_t i = 0; i < slice.values.size(); ++i) {
    const bool is_end = i == 0 || i + 1 == slice.values.size();
    if (all_fit || is_end) {
      drawing.text({panel.x(i), panel.top + kHeight + 18},
                   shortened(slice.values[i].label, all_fit ? room : 12),
                   Colour::quiet,
                   {.size = 12, .anchor = Drawing::Anchor::middle});
    }
  }
}

void draw_panel(Drawing& drawing,
                const KnobSlice& slice,
                const Panel& panel,
                const LinearScale& y) {
  drawing.text({panel.left, panel.top - kTitle},
               shortened(slice.knob, kLongestName),
               Colour::ink,
               {.size = 13, .weight = Drawing::Weight::bold});
  for (const double tick : ticks_of(y, 4)) {
    drawing.line({panel.left, y.at(tick)}, {panel.left + panel.width, y.at(tick)}, Colour::rule);
  }
  std::vector<Point> line;
  for (std::size_t i = 0; i < slice.values.size(); ++i) {
    if (slice.values[i].of_centre) {
      line.push_back({panel.x(i), y.at(*slice.values[i].of_centre)});
    }
  }
  if (line.size() > 1) {
    drawing.polyline(line, {.colour = Colour::transfer, .width = 1.5});
  }
  for (std::size_t i = 0; i < slice.values.size(); ++i) {
    draw_value(drawing, slice.values[i], panel.x(i), y);
  }
  draw_labels(drawing, slice, panel);
}

// Left of the first panel of a row.
void draw_scale(Drawing& drawing, const LinearScale& y) {
  for (const double tick : ticks_of(y, 4)) {
    drawing.text({kAxis - 8, y.at(tick) + 4},
                 number_text(tick),
                 Colour::quiet,
                 {.size = 12, .anchor = Drawing::Anchor::end});
  }
}

std::string in_words(const ExploredGrid& grid, const std::vector<KnobSlice>& slices) {
  std::string names;
  for (const KnobSlice& slice : slices) {
    names += names.empty() ? "" : ", ";
    names += one_line(slice.knob);
  }
  return counted(static_cast<std::int64_t>(grid.measured()), "measured setting") +
         " by the values of " + names + ", in samples/s.";
}

}  // namespace

std::optional<Markup> knob_slices(const ExploredGrid& grid,
                                  const Importance& importance,
                                  const result::Cell* centre) {
  if (grid.knobs.empty() || grid.measured() < 2) {
    return std::nullopt;
  }
  std::vector<double> rates;
  for (const ExploredCell& cell : grid.cells) {
    if (cell.rate) {
      rates.push_back(*cell.rate);
    }
  }
  const ExploredCell* const middle = find_centre(grid, centre);
  std::vector<KnobSlice> slices;
  for (const std::size_t knob : shown_knobs(grid, importance)) {
    slices.push_back(slice_of(grid, knob, middle));
  }
  const std::size_t rows = (slices.size() + kColumns - 1) / kColumns;
  Drawing drawing({.id = "slices",
                   .title = "Throughput by the values of each knob",
                   .description = in_words(grid, slices),
                   .width = kWidth,
                   .height = kRowHeight * static_cast<double>(rows) + kEdge});
  const double width = (kWidth - kEdge - kAxis - kGap * static_cast<double>(kColumns - 1)) /
                       static_cast<double>(kColumns);
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const std::size_t row = i / kColumns;
    const double top = kTop + kRowHeight * static_cast<double>(row);
    const LinearScale y = scale_over(rates, {top + kHeight, top});
    if (i % kColumns == 0) {
      draw_scale(drawing, y);
    }
    draw_panel(drawing,
               slices[i],
               {.left = kAxis + (width + kGap) * static_cast<double>(i % kColumns),
                .width = width,
                .top = top,
                .values = slices[i].values.size()},
               y);
  }
  return drawing.finished();
}

}  // namespace tune::report
