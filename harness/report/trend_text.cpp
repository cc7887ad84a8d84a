#include "report/trend_text.h"

#include "base/stats/quantile.h"
#include "report/markup.h"
#include "report/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tune::report {

namespace {

constexpr std::size_t kLongestWord = 60;  // of a version or a name in a sentence
constexpr double kLeastRange = 0.1;       // of the largest size

// "2026-11-20T12:00:00Z" -> "2026-11-20"
std::string day_of(const std::string& utc) {
  constexpr std::size_t kDay = 10;
  return one_line(utc.substr(0, kDay));
}

// Medians of neighbours, at most so many.
std::vector<double> gathered(const std::vector<double>& values, std::size_t most) {
  if (values.size() <= most) {
    return values;
  }
  std::vector<double> medians;
  medians.reserve(most);
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t first = i * values.size() / most;
    const std::size_t end = (i + 1) * values.size() / most;
    medians.push_back(stats::median({values.begin() + static_cast<std::ptrdiff_t>(first),
                                     values.begin() + static_cast<std::ptrdiff_t>(end)}));
  }
  return medians;
}

std::string causes_text(const history::Change& change) {
  if (change.causes.empty()) {
    return "nothing that is recorded changed with it";
  }
  std::string text;
  for (const std::string& cause : change.causes) {
    text += text.empty() ? "" : ", ";
    text += shortened(cause, kLongestWord);
  }
  return text;
}

// A ratio of two values that may be 0 or below: points, not percent of something.
std::string step_text(const history::Series& series, const history::Change& change) {
  return series.unit == "ratio" ? share_text(change.before) + " -> " + share_text(change.after)
                                : gain_text(change.ratio());
}

}  // namespace

std::string sparkline(const std::vector<double>& values, std::size_t most_columns) {
  static constexpr std::array<const char*, 8> kBars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr double kHeights = 8;
  if (values.empty() || most_columns == 0) {
    return "";
  }
  const std::vector<double> shown = gathered(values, most_columns);
  const auto [low, high] = std::minmax_element(shown.begin(), shown.end());
  const double least = kLeastRange * std::max(std::fabs(*low), std::fabs(*high));
  const double range = std::max(*high - *low, least);
  const double bottom = (*low + *high - range) / 2;
  std::string text;
  for (const double value : shown) {
    const double share = range > 0 ? (value - bottom) / range : 0.5;
    const double place = std::clamp(std::floor(share * kHeights), 0.0, kHeights - 1);
    text += kBars.at(static_cast<std::size_t>(place));
  }
  return text;
}

std::vector<double> values_of(const history::Series& series) {
  std::vector<double> values;
  values.reserve(series.points.size());
  for (const history::Point& point : series.points) {
    values.push_back(point.value);
  }
  return values;
}

std::string trend_value_text(double value, const std::string& unit) {
  constexpr double kMostSeconds = 9e9, kMostBytes = 9e18;  // that fit into whole ns, whole bytes
  if (unit == "ratio") {
    return share_text(value);
  }
  if (unit == "s" || unit == "B") {
    return metric_text(std::clamp(value, 0.0, unit == "s" ? kMostSeconds : kMostBytes), unit);
  }
  return metric_text(value, one_line(unit));
}

std::string point_name(const history::Point& point) {
  return point.id == 0 ? "this run"
                       : "run " + std::to_string(point.id) + " of " + day_of(point.started_utc);
}

std::string change_sentence(const history::Series& series, const history::Change& change) {
  std::string text = step_text(series, change);
  text += " since " + point_name(series.points.at(change.at)) + " (";
  if (series.unit != "ratio") {
    text += trend_value_text(change.before, series.unit) + " -> " +
            trend_value_text(change.after, series.unit);
    text += "; ";
  }
  return text + causes_text(change) + ")";
}

std::string range_sentence(const history::Series& series) {
  const std::vector<double> values = values_of(series);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  std::string text = counted(static_cast<std::int64_t>(values.size()), "run");
  text += " since " + day_of(series.points.front().started_utc) + ": ";
  text += trend_value_text(*low, series.unit) + " to " + trend_value_text(*high, series.unit);
  return text + ", last " + trend_value_text(values.back(), series.unit);
}

}  // namespace tune::report
