#include "report/chart_scale.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tune::report {

namespace {

constexpr double kLargest = 1e15;
constexpr double kMargin = 0.06;      // of the range, at each end
constexpr double kAroundOne = 0.05;   // of a value that is alone
constexpr double kSameWithin = 1e-9;  // of their size
constexpr int kMostRows = 5, kMostColumnTicks = 8;

// Those that can be drawn, lowest and highest.
struct Range {
  double low = 0, high = 0;
  bool is_empty = true;
};

Range range_of(const std::vector<double>& values) {
  Range range;
  for (const double value : values) {
    if (is_drawable(value)) {
      range.low = range.is_empty ? value : std::min(range.low, value);
      range.high = range.is_empty ? value : std::max(range.high, value);
      range.is_empty = false;
    }
  }
  return range;
}

}  // namespace

bool is_drawable(double value) {
  return std::isfinite(value) && std::fabs(value) < kLargest;
}

double LinearScale::at(double value) const {
  const double share = std::clamp((value - low) / (high - low), 0.0, 1.0);
  return from + share * (to - from);
}

double tick_step(double length, int most) {
  double step = std::pow(10, std::floor(std::log10(length / most)));
  for (const double factor : {2.0, 2.5, 2.0}) {
    if (length / step <= most) {
      break;
    }
    step *= factor;
  }
  return step;
}

LinearScale scale_over(const std::vector<double>& values, const Extent& extent) {
  const Range range = range_of(values);
  if (range.is_empty) {
    return {.low = 0, .high = 1, .from = extent.from, .to = extent.to};
  }
  const double size = std::max(std::fabs(range.low), std::fabs(range.high));
  double margin = kMargin * (range.high - range.low);
  if (range.high - range.low <= kSameWithin * size) {
    margin = size > 0 ? kAroundOne * size : 0.5;
  }
  return {
      .low = range.low - margin, .high = range.high + margin, .from = extent.from, .to = extent.to};
}

LinearScale scale_from_zero(const std::vector<double>& values, const Extent& extent) {
  const Range range = range_of(values);
  const double high = std::max(range.high, 0.0) * (1 + kMargin);
  return {.low = 0, .high = high > 0 ? high : 1, .from = extent.from, .to = extent.to};
}

std::vector<double> ticks_of(const LinearScale& scale, int most) {
  const double step = tick_step(scale.high - scale.low, most);
  const double first = std::ceil(scale.low / step - 1e-9);
  std::vector<double> ticks;
  for (int i = 0; i <= most; ++i) {
    const double value = (first + i) * step;
    if (value > scale.high + 1e-9 * step) {
      break;
    }
    ticks.push_back(std::fabs(value) < 1e-9 * step ? 0 : value);
  }
  return ticks;
}

void draw_rows(Drawing& drawing, const LinearScale& y, const Extent& across, const TickText& text) {
  for (const double value : ticks_of(y, kMostRows)) {
    const double at = y.at(value);
    drawing.line({across.from, at}, {across.to, at}, Colour::rule);
    drawing.text({across.from - 8, at + 4},
                 text(value),
                 Colour::quiet,
                 {.size = 12, .anchor = Drawing::Anchor::end});
  }
}

void draw_columns(Drawing& drawing, const LinearScale& x, double base, const TickText& text) {
  for (const double value : ticks_of(x, kMostColumnTicks)) {
    const double at = x.at(value);
    drawing.line({at, base}, {at, base + 5}, Colour::quiet);
    drawing.text({at, base + 20},
                 text(value),
                 Colour::quiet,
                 {.size = 12, .anchor = Drawing::Anchor::middle});
  }
}

void draw_percent_columns(Drawing& drawing, const LinearScale& x, double top, double bottom) {
  for (const int percent : {0, 25, 50, 75, 100}) {
    const double at = x.at(percent / 100.0);
    drawing.line({at, top - 6}, {at, bottom}, Colour::rule);
    drawing.text({at, top - 12},
                 std::to_string(percent) + " %",
                 Colour::quiet,
                 {.size = 12, .anchor = Drawing::Anchor::middle});
  }
}

}  // namespace tune::report
