#include "report/chart_scale.h"
#include "report/number_text.h"
#include "report/run_charts.h"
#include "report/svg.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tune::report {

namespace {

constexpr double kWidth = 960, kEdge = 12, kLeft = 190, kRight = 560, kText = 572;
constexpr double kTop = 30, kPitch = 26, kHeight = 16, kBottom = 8;
constexpr std::size_t kLongestName = 26, kLongestReading = 57;
constexpr LinearScale kX{.low = 0, .high = 1, .from = kLeft, .to = kRight};

std::string reading_of(const ExploredGrid& grid, const KnobImportance& knob) {
  const ExploredKnob& of = grid.knobs.at(knob.knob);
  return share_text(knob.share) + "; " + of.label(knob.best) + " " + gain_text(knob.gain) +
         " over " + of.label(knob.worst);
}

}  // namespace

std::optional<Markup> importance_bars(const ExploredGrid& grid, const Importance& importance) {
  const std::size_t drawn = std::min(importance.knobs.size(), kMostImportantKnobs);
  if (drawn == 0) {
    return std::nullopt;
  }
  std::vector<std::string> readings;
  readings.reserve(drawn);
  std::string description;
  for (std::size_t i = 0; i < drawn; ++i) {
    const KnobImportance& knob = importance.knobs[i];
    readings.push_back(reading_of(grid, knob));
    description += description.empty() ? "" : ". ";
    description += one_line(grid.knobs.at(knob.knob).name);
    description += ": ";
    description += readings.back();
  }
  const double bottom = kTop + kPitch * static_cast<double>(drawn);
  Drawing drawing({.id = "importance",
                   .title = "Which knobs moved the throughput",
                   .description = description + ".",
                   .width = kWidth,
                   .height = bottom + kBottom});
  draw_percent_columns(drawing, kX, kTop, bottom);
  double y = kTop + 2;
  for (std::size_t i = 0; i < drawn; ++i) {
    const KnobImportance& knob = importance.knobs[i];
    const std::string name = shortened(grid.knobs.at(knob.knob).name, kLongestName);
    drawing.group(name + ": " + readings[i]);
    drawing.text({kEdge, y + 13}, name, Colour::ink, {.size = 12});
    drawing.rect({kLeft, y, std::max(0.5, kX.at(knob.share) - kLeft), kHeight}, Colour::transfer);
    drawing.text(
        {kText, y + 13}, shortened(readings[i], kLongestReading), Colour::ink, {.size = 12});
    drawing.ungroup();
    y += kPitch;
  }
  return drawing.finished();
}

}  // namespace tune::report
