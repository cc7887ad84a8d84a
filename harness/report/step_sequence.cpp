#include "base/stats/quantile.h"
#include "base/units.h"
#include "report/chart_scale.h"
#include "report/number_text.h"
#include "report/run_charts.h"
#include "report/svg.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tune::report {

namespace {

constexpr double kWidth = 960, kEdge = 12, kLeft = 84, kRight = 948;
constexpr double kHeading = 34, kHeight = 110, kPitch = 186;
constexpr double kMostMedians = 3;
constexpr std::size_t kLongestLabel = 90;

struct Column {
  std::int64_t low_ns = 0, high_ns = 0;
};

std::vector<Column> columns_of(const std::vector<std::int64_t>& step_ns, std::size_t each) {
  std::vector<Column> columns;
  columns.reserve(step_ns.size() / each + 1);
  for (std::size_t i = 0; i < step_ns.size(); ++i) {
    const std::int64_t ns = std::max<std::int64_t>(0, step_ns[i]);
    if (i % each == 0) {
      columns.push_back({ns, ns});
    }
    columns.back().low_ns = std::min(columns.back().low_ns, ns);
    columns.back().high_ns = std::max(columns.back().high_ns, ns);
  }
  return columns;
}

// Over the steps that count; over all where none does.
double median_ns(const StepSequence& sequence) {
  const std::size_t first =
      sequence.warmup_steps < sequence.step_ns.size() ? sequence.warmup_steps : 0;
  std::vector<double> lengths;
  lengths.reserve(sequence.step_ns.size() - first);
  for (std::size_t i = first; i < sequence.step_ns.size(); ++i) {
    lengths.push_back(static_cast<double>(std::max<std::int64_t>(0, sequence.step_ns[i])));
  }
  return stats::median(std::move(lengths));
}

std::string tick_text(double ns) {
  return format_time(std::llround(std::clamp(ns, 0.0, 9e18)));
}

struct Panel {
  LinearScale y;
  double base = 0, pitch = 1;
  std::size_t each = 1;  ///< steps of a column

  double x(std::size_t step) const {
    return kLeft + static_cast<double>(step) / static_cast<double>(each) * pitch;
  }
};

Panel panel_of(const StepSequence& sequence, double top) {
  const std::size_t steps = sequence.step_ns.size();
  Panel panel{.base = top + kHeading + kHeight};
  panel.each = (steps + kMostSequenceColumns - 1) / kMostSequenceColumns;
  const std::size_t columns = (steps + panel.each - 1) / panel.each;
  panel.pitch = (kRight - kLeft) / static_cast<double>(columns);
  const auto longest_ns =
      static_cast<double>(*std::max_element(sequence.step_ns.begin(), sequence.step_ns.end()));
  const double most_ns = std::max(1.0, std::min(longest_ns, kMostMedians * median_ns(sequence)));
  panel.y = scale_from_zero({most_ns}, {panel.base, top + kHeading});
  return panel;
}

void draw_warmup(Drawing& drawing, const StepSequence& sequence, const Panel& panel) {
  if (sequence.warmup_steps == 0 || sequence.warmup_steps > sequence.step_ns.size()) {
    return;
  }
  const double end = std::min(kRight, panel.x(sequence.warmup_steps));
  drawing.rect({kLeft, panel.base - kHeight, end - kLeft, kHeight}, Colour::panel);
  drawing.line(
      {end, panel.base - kHeight - 4}, {end, panel.base}, Colour::ink, 1.5, Drawing::Line::dashed);
}

void draw_bars(Drawing& drawing, const StepSequence& sequence, const Panel& panel) {
  const std::vector<Column> columns = columns_of(sequence.step_ns, panel.each);
  const double width = std::max(0.8, panel.pitch * 0.7);
  std::vector<Box> boxes;
  boxes.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double x = kLeft + (static_cast<double>(i) + 0.5) * panel.pitch - width / 2;
    const double high = panel.y.at(static_cast<double>(columns[i].high_ns));
    const double low = panel.y.at(static_cast<double>(columns[i].low_ns));
    boxes.push_back({x, high - 1, width, std::max(2.0, low - high + 2)});
    if (static_cast<double>(columns[i].high_ns) > panel.y.high) {
      const double middle = x + width / 2, top = panel.base - kHeight;
      drawing.polygon({{middle, top - 7}, {middle + 4, top - 1}, {middle - 4, top - 1}},
                      Colour::worse);
    }
  }
  drawing.boxes(boxes, Colour::transfer);
}

std::string summary_of(const StepSequence& sequence) {
  const auto longest = *std::max_element(sequence.step_ns.begin(), sequence.step_ns.end());
  return shortened(sequence.label, kLongestLabel) + ": " +
         counted(static_cast<std::int64_t>(sequence.step_ns.size()), "step") + ", the first " +
         std::to_string(std::min(sequence.warmup_steps, sequence.step_ns.size())) +
         " to warm up; median " + tick_text(median_ns(sequence)) + ", longest " +
         format_time(longest);
}

void draw(Drawing& drawing, const StepSequence& sequence, double top) {
  const Panel panel = panel_of(sequence, top);
  drawing.text({kEdge, top + 16}, summary_of(sequence), Colour::ink, {.size = 12});
  draw_warmup(drawing, sequence, panel);
  draw_rows(drawing, panel.y, {kLeft, kRight}, tick_text);
  draw_bars(drawing, sequence, panel);
  drawing.text({kLeft, panel.base + 18}, "step 1", Colour::quiet, {.size = 12});
  drawing.text({kRight, panel.base + 18},
               "step " + std::to_string(sequence.step_ns.size()),
               Colour::quiet,
               {.size = 12, .anchor = Drawing::Anchor::end});
}

}  // namespace

std::optional<Markup> step_sequences(const std::vector<StepSequence>& sequences) {
  std::vector<const StepSequence*> drawn;
  std::string description;
  for (const StepSequence& sequence : sequences) {
    if (sequence.step_ns.size() > 1) {
      drawn.push_back(&sequence);
      description += description.empty() ? "" : ". ";
      description += summary_of(sequence);
    }
  }
  if (drawn.empty()) {
    return std::nullopt;
  }
  Drawing drawing({.id = "sequence",
                   .title = "Time of every step, in the order run",
                   .description = description + ".",
                   .width = kWidth,
                   .height = kPitch * static_cast<double>(drawn.size())});
  double top = 0;
  for (const StepSequence* const sequence : drawn) {
    draw(drawing, *sequence, top);
    top += kPitch;
  }
  return drawing.finished();
}

}  // namespace tune::report
