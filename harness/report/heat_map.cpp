#include "report/headline.h"
#include "report/number_text.h"
#include "report/run_charts.h"
#include "report/run_words.h"
#include "report/svg.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tune::report {

namespace {

constexpr double kWidth = 960, kLeft = 176, kRight = 948, kTop = 62, kRow = 34;
constexpr double kWidest = 132, kBottom = 12, kCharacter = 6.6;
constexpr double kLeastRange = 0.01;  // of ln(rate): noise is not tinted strongly
constexpr std::size_t kLongestRowLabel = 22, kLongestKnob = 40;

/// The settings that have one pair of values.
struct HeatBox {
  const ExploredCell* fastest = nullptr;
  std::size_t settings = 0;
};

/// Rows are values of the second knob, columns of the first.
struct HeatGrid {
  const ExploredKnob& across;
  const ExploredKnob& down;
  std::vector<HeatBox> boxes;  ///< row by row

  HeatBox& at(std::size_t column, std::size_t row) {
    return boxes[row * across.values.size() + column];
  }
  const HeatBox& at(std::size_t column, std::size_t row) const {
    return boxes[row * across.values.size() + column];
  }
};

HeatGrid heat_grid(const ExploredGrid& grid, const std::array<std::size_t, 2>& knobs) {
  HeatGrid heat{grid.knobs.at(knobs[0]), grid.knobs.at(knobs[1]), {}};
  heat.boxes.resize(heat.across.values.size() * heat.down.values.size());
  for (const ExploredCell& cell : grid.cells) {
    HeatBox& box = heat.at(cell.levels[knobs[0]], cell.levels[knobs[1]]);
    ++box.settings;
    if (cell.rate && (box.fastest == nullptr || *cell.rate > *box.fastest->rate)) {
      box.fastest = &cell;
    }
  }
  return heat;
}

// ln of the rate over the baseline's; 0 where that is not known.
double distance_of(const HeatBox& box, std::optional<double> baseline_rate) {
  return box.fastest != nullptr && baseline_rate ? std::log(*box.fastest->rate / *baseline_rate)
                                                 : 0;
}

double largest_distance(const HeatGrid& heat, std::optional<double> baseline_rate) {
  double largest = kLeastRange;
  for (const HeatBox& box : heat.boxes) {
    largest = std::max(largest, std::fabs(distance_of(box, baseline_rate)));
  }
  return largest;
}

std::string word_of(const HeatBox& box) {
  return box.settings == 0        ? "not run"
         : box.fastest == nullptr ? "failed"
                                  : number_text(*box.fastest->rate);
}

std::string tip_of(const HeatBox& box,
                   const std::string& place,
                   std::optional<double> baseline_rate) {
  std::string text = place + ": ";
  if (box.fastest == nullptr) {
    text += box.settings == 0
                ? "no setting has both"
                : "none of " + counted(static_cast<std::int64_t>(box.settings), "setting") +
                      " was measured";
    return text;
  }
  text += number_text(*box.fastest->rate) + " samples/s";
  if (baseline_rate) {
    text += ", " + gain_text(*box.fastest->rate / *baseline_rate - 1);
  }
  text += ", " + setting_words(*box.fastest->cell);
  return box.settings > 1 ? text + ", the fastest of " + std::to_string(box.settings) : text;
}

std::string in_words(const HeatGrid& heat) {
  const HeatBox* best = nullptr;
  std::string place;
  for (std::size_t row = 0; row < heat.down.values.size(); ++row) {
    for (std::size_t column = 0; column < heat.across.values.size(); ++column) {
      const HeatBox& box = heat.at(column, row);
      const bool is_better =
          box.fastest != nullptr && (best == nullptr || *box.fastest->rate > *best->fastest->rate);
      if (is_better) {
        best = &box;
        place = heat.across.label(column) + " and " + heat.down.label(row);
      }
    }
  }
  return "The fastest pair is " + place + " with " + number_text(*best->fastest->rate) +
         " samples/s; each box has the fastest setting of its pair.";
}

double column_width(const HeatGrid& heat) {
  return std::min(kWidest, (kRight - kLeft) / static_cast<double>(heat.across.values.size()));
}

void draw_labels(Drawing& drawing, const HeatGrid& heat, double width) {
  drawing.legend_entry();
  drawing.text({kLeft, 22},
               "across: " + shortened(heat.across.name, kLongestKnob) + ", down: " +
                   shortened(heat.down.name, kLongestKnob) + "; samples/s of the fastest setting",
               Colour::quiet,
               {.size = 12});
  drawing.ungroup();
  const auto most = static_cast<std::size_t>(std::max(1.0, width / kCharacter - 1));
  for (std::size_t i = 0; i < heat.across.values.size(); ++i) {
    drawing.text({kLeft + (static_cast<double>(i) + 0.5) * width, kTop - 10},
                 shortened(heat.across.label(i), most),
                 Colour::ink,
                 {.size = 12, .anchor = Drawing::Anchor::middle});
  }
  for (std::size_t i = 0; i < heat.down.values.size(); ++i) {
    drawing.text({kLeft - 10, kTop + (static_cast<double>(i) + 0.5) * kRow + 4},
                 shortened(heat.down.label(i), kLongestRowLabel),
                 Colour::ink,
                 {.size = 12, .anchor = Drawing::Anchor::end});
  }
}

void draw_box(Drawing& drawing, const HeatBox& box, const Box& place, double strength) {
  drawing.outline(place, Colour::rule);
  if (box.fastest != nullptr && std::fabs(strength) >= 0.01) {
    drawing.tint(place,
                 strength > 0 ? Colour::better : Colour::worse,
                 std::min(1.0, std::fabs(strength)) * kStrongestTint);
  }
  drawing.text({place.x + place.width / 2, place.y + place.height / 2 + 4},
               word_of(box),
               box.fastest == nullptr ? Colour::quiet : Colour::ink,
               {.size = 12, .anchor = Drawing::Anchor::middle});
}

bool has_room(const ExploredKnob& knob) {
  return knob.values.size() > 1 && knob.values.size() <= kMostHeatValues;
}

}  // namespace

std::optional<std::array<std::size_t, 2>> heat_map_knobs(const ExploredGrid& grid,
                                                         const Importance& importance) {
  std::vector<std::size_t> chosen;
  for (const std::size_t knob : knobs_by_importance(grid, importance)) {
    if (chosen.size() < 2 && has_room(grid.knobs[knob])) {
      chosen.push_back(knob);
    }
  }
  if (chosen.size() < 2) {
    return std::nullopt;
  }
  return std::array<std::size_t, 2>{chosen[0], chosen[1]};
}

std::optional<Markup> heat_map(const ExploredGrid& grid,
                               const std::array<std::size_t, 2>& knobs,
                               std::optional<double> baseline_rate) {
  const HeatGrid heat = heat_grid(grid, knobs);
  const bool is_measured = std::any_of(heat.boxes.begin(),
                                       heat.boxes.end(),
                                       [](const HeatBox& box) { return box.fastest != nullptr; });
  if (!is_measured) {
    return std::nullopt;
  }
  const double width = column_width(heat);
  const double largest = largest_distance(heat, baseline_rate);
  Drawing drawing({.id = "heat",
                   .title = "Throughput by " + shortened(heat.across.name, kLongestKnob) + " and " +
                            shortened(heat.down.name, kLongestKnob),
                   .description = in_words(heat),
                   .width = kWidth,
                   .height = kTop + kRow * static_cast<double>(heat.down.values.size()) + kBottom});
  draw_labels(drawing, heat, width);
  for (std::size_t row = 0; row < heat.down.values.size(); ++row) {
    for (std::size_t column = 0; column < heat.across.values.size(); ++column) {
      const HeatBox& box = heat.at(column, row);
      const std::string place = heat.across.label(column) + ", " + heat.down.label(row);
      drawing.group(tip_of(box, place, baseline_rate));
      draw_box(drawing,
               box,
               {kLeft + static_cast<double>(column) * width,
                kTop + static_cast<double>(row) * kRow,
                width - 4,
                kRow - 4},
               distance_of(box, baseline_rate) / largest);
      drawing.ungroup();
    }
  }
  return drawing.finished();
}

}  // namespace tune::report
