#include "base/units.h"
#include "report/chart_scale.h"
#include "report/number_text.h"
#include "report/run_charts.h"
#include "report/svg.h"

#include <algorithm>
#include <cstdint>

namespace tune::report {

namespace {

constexpr double kWidth = 960, kEdge = 12, kLeft = 190, kRight = 936, kTop = 16, kRow = 44;
constexpr double kBottom = 46, kMilli = 1e-3;
constexpr std::size_t kLongestLabel = 24;

// ms per sample
double per_sample(const StepSpread& spread, double step_s) {
  return step_s / kMilli / spread.samples_per_step;
}

LinearScale scale_of(const std::vector<NamedSpread>& rows) {
  std::vector<double> ends;
  ends.reserve(rows.size() * 2);
  for (const NamedSpread& row : rows) {
    ends.push_back(per_sample(row.spread, row.spread.p1_s));
    ends.push_back(per_sample(row.spread, row.spread.p99_s));
  }
  return scale_from_zero(ends, {kLeft, kRight});
}

std::string reading_of(const NamedSpread& row) {
  const StepSpread& spread = row.spread;
  return row.label + ": median " + format_seconds(1e-3 * per_sample(spread, spread.median_s)) +
         " per sample, 99 % within " + format_seconds(1e-3 * per_sample(spread, spread.p99_s)) +
         ", longest " + format_seconds(1e-3 * per_sample(spread, spread.max_s)) + ", " +
         counted(static_cast<std::int64_t>(spread.outliers), "step") + " of " +
         std::to_string(spread.steps) + " far out";
}

void draw_row(Drawing& drawing, const NamedSpread& row, const LinearScale& x, double y) {
  const StepSpread& spread = row.spread;
  const auto at = [&](double step_s) { return x.at(per_sample(spread, step_s)); };
  drawing.group(reading_of(row));
  drawing.text({kEdge, y + 4}, shortened(row.label, kLongestLabel), Colour::ink, {.size = 12});
  drawing.line({at(spread.p1_s), y}, {at(spread.p99_s), y}, Colour::quiet, 2);
  const double low = at(spread.lower_quartile_s), high = at(spread.upper_quartile_s);
  drawing.rect({low, y - 6, std::max(0.5, high - low), 12}, Colour::transfer);
  const double middle = at(spread.median_s);
  drawing.line({middle, y - 11}, {middle, y + 11}, Colour::ink, 2.5);
  for (const double step_s : spread.longest_s) {
    drawing.hollow_circle({at(step_s), y}, 3, Colour::worse);
  }
  drawing.ungroup();
}

std::string in_words(const std::vector<NamedSpread>& rows) {
  std::string text;
  for (const NamedSpread& row : rows) {
    text += text.empty() ? "" : ". ";
    text += reading_of(row);
  }
  return text + ".";
}

}  // namespace

std::optional<Markup> spread_plot(const std::vector<NamedSpread>& rows) {
  if (rows.empty()) {
    return std::nullopt;
  }
  const double base = kTop + kRow * static_cast<double>(rows.size());
  Drawing drawing({.id = "spread",
                   .title = "How the steps of each setting spread",
                   .description = in_words(rows),
                   .width = kWidth,
                   .height = base + kBottom});
  const LinearScale x = scale_of(rows);
  draw_columns(drawing, x, base, number_text);
  drawing.text({kRight, base + 40},
               "ms per sample",
               Colour::quiet,
               {.size = 12, .anchor = Drawing::Anchor::end});
  double y = kTop + kRow / 2;
  for (const NamedSpread& row : rows) {
    draw_row(drawing, row, x, y);
    y += kRow;
  }
  return drawing.finished();
}

}  // namespace tune::report
