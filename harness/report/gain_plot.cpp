#include "report/chart_scale.h"
#include "report/headline.h"
#include "report/number_text.h"
#include "report/run_charts.h"
#include "report/run_words.h"
#include "report/svg.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace tune::report {

namespace {

constexpr double kWidth = 960, kLeft = 412, kRight = 736, kTextEdge = 750;
constexpr double kTop = 62, kRowHeight = 22, kBottom = 34;
constexpr std::size_t kLongestLabel = 58;
constexpr int kMostTicks = 8;

struct PlotRow {
  std::string label;
  result::Number gain;    // its value is known
  bool is_fresh = false;  // from the confirmation
};

// Anybody may have written them.
bool is_plotted(const result::Number& gain) {
  return gain.value && is_drawable(*gain.value) &&
         (!gain.lower || (is_drawable(*gain.lower) && is_drawable(*gain.upper)));
}

struct Scale {
  double low = 0, high = 0;
  double x(double gain) const { return kLeft + (gain - low) / (high - low) * (kRight - kLeft); }
};

// Without an interval nothing can be said: neither that it differs nor that it does not.
enum class Direction { better, worse, unsure, no_interval };

Direction direction_of(const result::Number& gain) {
  if (!gain.lower || !gain.upper) {
    return Direction::no_interval;
  }
  if (*gain.lower > 0) {
    return Direction::better;
  }
  return *gain.upper < 0 ? Direction::worse : Direction::unsure;
}

Colour colour_of(Direction direction) {
  return direction == Direction::better   ? Colour::better
         : direction == Direction::worse  ? Colour::worse
         : direction == Direction::unsure ? Colour::unsure
                                          : Colour::quiet;
}

// Where a cell ran in fresh pairs, their gain is the only one of it.
std::vector<PlotRow> fresh_rows(const result::Result& result, std::set<std::string>& cells) {
  std::vector<PlotRow> rows;
  const auto add = [&](const std::string& cell, const result::Number& gain) {
    if (is_plotted(gain) && cells.insert(cell).second) {
      rows.push_back({.label = setting_words(result, cell), .gain = gain, .is_fresh = true});
    }
  };
  add(result.summary.best.side.cell, result.summary.best.gain);
  for (const result::Confirmation& pairs : result.confirmations) {
    if (pairs.pairs > 0) {
      add(pairs.cell, pairs.gain);
    }
  }
  return rows;
}

std::vector<PlotRow> rows_of(const result::Result& result) {
  std::set<std::string> fresh;
  std::vector<PlotRow> rows = fresh_rows(result, fresh);
  for (const result::Cell& cell : result.cells) {
    if (is_plotted(cell.gain) && !fresh.contains(cell.id) && rows.size() < kMostPlotted) {
      rows.push_back({.label = setting_words(cell), .gain = cell.gain});
    }
  }
  return rows;
}

std::size_t fresh_count(const std::vector<PlotRow>& rows) {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const PlotRow& row) { return row.is_fresh; }));
}

Scale scale_of(const std::vector<PlotRow>& rows) {
  Scale scale;
  for (const PlotRow& row : rows) {
    const result::Number& gain = row.gain;
    scale.low = std::min({scale.low, *gain.value, gain.lower.value_or(*gain.value)});
    scale.high = std::max({scale.high, *gain.value, gain.upper.value_or(*gain.value)});
  }
  const double margin = std::max(0.04 * (scale.high - scale.low), 0.005);
  return {scale.low - margin, scale.high + margin};
}

std::string axis_text(double gain, double step) {
  // Whole percents unless the axis is finer than that.
  const std::string exact = gain_text(gain);
  if (std::fabs(gain) < step / 2) {
    return "0 %";
  }
  return step < 0.01 ? exact : exact.substr(0, exact.find('.')) + " %";
}

void draw_axis(Drawing& drawing, const Scale& scale, double bottom) {
  const double step = tick_step(scale.high - scale.low, kMostTicks);
  const auto first = static_cast<int>(std::ceil(scale.low / step - 1e-9));
  const auto last = static_cast<int>(std::floor(scale.high / step + 1e-9));
  for (int tick = first; tick <= last; ++tick) {
    const double x = scale.x(tick * step);
    if (tick != 0) {
      drawing.line({x, kTop - 6}, {x, bottom}, Colour::rule);
    }
    drawing.text({x, bottom + 18},
                 axis_text(tick * step, step),
                 Colour::quiet,
                 {.size = 12, .anchor = Drawing::Anchor::middle});
  }
  const double zero = scale.x(0);
  drawing.line({zero, kTop - 6}, {zero, bottom + 4}, Colour::ink, 1.5, Drawing::Line::dashed);
  drawing.text(
      {zero, kTop - 12}, "baseline", Colour::ink, {.size = 12, .anchor = Drawing::Anchor::middle});
}

void draw_marker(Drawing& drawing, Point at, Direction direction) {
  const Colour colour = colour_of(direction);
  if (direction == Direction::unsure) {
    drawing.hollow_circle(at, 4, colour);
    return;
  }
  if (direction == Direction::no_interval) {
    drawing.polyline(
        {{at.x, at.y - 5}, {at.x + 5, at.y}, {at.x, at.y + 5}, {at.x - 5, at.y}, {at.x, at.y - 5}},
        {.colour = colour, .width = 1.5});
    return;
  }
  const double tip = direction == Direction::better ? -5.5 : 5.5;
  drawing.polygon(
      {{at.x, at.y + tip}, {at.x + 5.5, at.y - tip * 0.8}, {at.x - 5.5, at.y - tip * 0.8}}, colour);
}

void draw_row(Drawing& drawing, const PlotRow& row, const Scale& scale, double y) {
  const result::Number& gain = row.gain;
  const Direction direction = direction_of(gain);
  const auto weight = row.is_fresh ? Drawing::Weight::bold : Drawing::Weight::normal;
  const std::string reading = gain_text(*gain.value) + " " + gain_interval_text(gain);
  drawing.group(row.label + ": " + reading);
  drawing.text({12, y + 4},
               shortened(row.label, kLongestLabel),
               Colour::ink,
               {.size = 12, .weight = weight});
  if (gain.lower && gain.upper) {
    drawing.line({scale.x(*gain.lower), y},
                 {scale.x(*gain.upper), y},
                 colour_of(direction),
                 row.is_fresh ? 4 : 2);
  }
  draw_marker(drawing, {scale.x(*gain.value), y}, direction);
  drawing.text({kTextEdge, y + 4}, reading, Colour::ink, {.size = 12, .weight = weight});
  drawing.ungroup();
}

void draw_legend(Drawing& drawing) {
  const auto entry = [&](double x, Direction direction, const char* words) {
    drawing.legend_entry();
    draw_marker(drawing, {x, 20}, direction);
    drawing.text({x + 12, 24}, words, Colour::quiet, {.size = 12});
    drawing.ungroup();
  };
  entry(18, Direction::better, "whole interval faster");
  entry(190, Direction::unsure, "not distinguishable from the baseline");
  entry(454, Direction::worse, "whole interval slower");
  entry(620, Direction::no_interval, "one round: no interval");
}

// `rows`: at least one.
std::string in_words(const std::vector<PlotRow>& rows) {
  std::int64_t better = 0, worse = 0, without = 0;
  const auto settings = static_cast<std::int64_t>(rows.size());
  for (const PlotRow& row : rows) {
    better += direction_of(row.gain) == Direction::better ? 1 : 0;
    worse += direction_of(row.gain) == Direction::worse ? 1 : 0;
    without += direction_of(row.gain) == Direction::no_interval ? 1 : 0;
  }
  std::string text =
      counted(settings, "setting") + ", in the order of the table: " + std::to_string(better) +
      " with the whole interval faster than the baseline, " + std::to_string(worse) + " slower, " +
      std::to_string(settings - better - worse - without) + " not distinguishable from it, " +
      std::to_string(without) + " of one round, which have no interval.";
  const PlotRow& first = rows.front();
  text += " First is " + first.label + " with " + gain_text(*first.gain.value) + " " +
          gain_interval_text(first.gain) + (first.is_fresh ? ", from fresh pairs." : ".");
  return text;
}

}  // namespace

std::optional<Markup> gain_plot(const result::Result& result) {
  const std::vector<PlotRow> rows = rows_of(result);
  if (rows.empty()) {
    return std::nullopt;
  }
  const Scale scale = scale_of(rows);
  const std::size_t fresh = fresh_count(rows);
  const double gap = fresh > 0 && fresh < rows.size() ? 10 : 0;
  const double bottom = kTop + gap + kRowHeight * static_cast<double>(rows.size());
  Drawing drawing({.id = "gains",
                   .title = "Gain of every setting over the baseline, with its interval",
                   .description = in_words(rows),
                   .width = kWidth,
                   .height = bottom + kBottom});
  draw_legend(drawing);
  draw_axis(drawing, scale, bottom);
  double y = kTop + kRowHeight / 2;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    draw_row(drawing, rows[i], scale, y);
    y += kRowHeight;
    if (i + 1 == fresh && gap > 0) {
      drawing.line({12, y - kRowHeight / 2 + gap / 2},
                   {kWidth - 12, y - kRowHeight / 2 + gap / 2},
                   Colour::rule);
      y += gap;
    }
  }
  return drawing.finished();
}

}  // namespace tune::report
