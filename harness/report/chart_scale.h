#pragma once

#include "report/svg.h"

#include <functional>
#include <string>
#include <vector>

namespace tune::report {

/// True for numbers that a drawing can hold: finite, and below 1e15 in size.
bool is_drawable(double value);

/// Steps between the ticks of an axis of this length: 1, 2 or 5 times a power of ten, so that at
/// most `most` of them fit.
double tick_step(double length, int most);

/// A linear scale from values to units of a drawing; `high` is above `low`.
struct LinearScale {
  double low = 0, high = 1;  ///< values
  double from = 0, to = 1;   ///< where they lie; `to` may be the smaller one

  /// Values beyond the ends lie at the ends.
  double at(double value) const;
};

/// The place of a scale in a drawing.
struct Extent {
  double from = 0, to = 1;
};

/// Over those of the values that are drawable, with 6 % of their range more at both ends; where
/// they are all equal, 5 % of them. From 0 to 1 without any.
LinearScale scale_over(const std::vector<double>& values, const Extent& extent);

/// The same from 0 up: for values whose size is to be seen.
LinearScale scale_from_zero(const std::vector<double>& values, const Extent& extent);

/// Multiples of 1, 2 or 5 times a power of ten within the scale, at most about `most`.
std::vector<double> ticks_of(const LinearScale& scale, int most);

/// How a value at a tick reads.
using TickText = std::function<std::string(double value)>;

/// Lines across the plot at the ticks of a vertical scale, the values left of them.
void draw_rows(Drawing& drawing, const LinearScale& y, const Extent& across, const TickText& text);

/// Short lines below the plot at the ticks of a horizontal scale, the values below them.
void draw_columns(Drawing& drawing, const LinearScale& x, double base, const TickText& text);

/// Lines across the plot from `top` to `bottom` at every quarter of a horizontal scale of ratios,
/// the per cents above them.
void draw_percent_columns(Drawing& drawing, const LinearScale& x, double top, double bottom);

}  // namespace tune::report
