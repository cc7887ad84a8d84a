#include "machine/telemetry/telemetry_json.h"

#include "base/fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace tune::telemetry {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostSeries = 10'000;
constexpr double kMost = 1e18;
constexpr Range kTime = {0, std::int64_t{1} << 60};

double rounded(double value) {
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%.5g", value);
  return std::strtod(text.data(), nullptr);
}

std::optional<double> kept(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? std::optional(rounded(*value)) : std::nullopt;
}

void number_of(Fields& fields, const char* name, std::optional<double>& value) {
  std::optional<double> number = kept(value);
  fields.real(name, number, -kMost, kMost);
  if (fields.reads()) {
    value = number;
  }
}

void curve_of(Fields& fields, const char* name, std::vector<double>& curve) {
  constexpr double kAny = std::numeric_limits<double>::max();
  std::vector<double> numbers(curve.size());
  std::transform(curve.begin(), curve.end(), numbers.begin(), [](double value) {
    return kept(value).value_or(std::numeric_limits<double>::quiet_NaN());
  });
  fields.real_list(name, numbers, TrialTelemetry::kMostPoints, -kAny, kAny);
  if (fields.reads()) {
    curve = std::move(numbers);
  }
}

void series_of(Fields& fields, SeriesSummary& series) {
  constexpr std::size_t kLongestWord = 128;
  fields.text("id", series.info.id, kLongestWord);
  fields.text("label", series.info.label, kLongestWord);
  fields.text("unit", series.info.unit, kLongestWord);
  number_of(fields, "mean", series.mean);
  number_of(fields, "median", series.median);
  number_of(fields, "min", series.min);
  number_of(fields, "max", series.max);
  fields.whole("n", series.n, {0, 1'000'000});
  fields.text_or_null("reason", series.reason);
  curve_of(fields, "curve", series.curve);
}

}  // namespace

Json number_or_null(std::optional<double> value) {
  const auto number = kept(value);
  return number ? Json(*number) : Json(nullptr);
}

void fields_of(Fields& fields, TrialTelemetry& telemetry) {
  fields.schema(kTelemetrySchema);
  fields.whole("start_ns", telemetry.start_ns, kTime);
  fields.record("window", telemetry.window, [](Fields& window, Span& span) {
    window.whole("begin_ns", span.begin_ns, kTime);
    window.whole("end_ns", span.end_ns, kTime);
  });
  fields.whole("samples", telemetry.samples, {0, 1'000'000'000});
  fields.whole("cpus", telemetry.cpus, {0, 1'000'000});
  double cpu_ratio = fields.writes() ? rounded(telemetry.cpu_ratio) : 0;
  fields.real("cpu_ratio", cpu_ratio, 0, kMost);
  telemetry.cpu_ratio = fields.reads() ? cpu_ratio : telemetry.cpu_ratio;
  curve_of(fields, "times", telemetry.times_s);
  const std::size_t points = telemetry.times_s.size();
  fields.list("series", telemetry.series, kMostSeries, [&](Fields& entry, SeriesSummary& series) {
    series_of(entry, series);
    entry.expect(series.curve.empty() || series.curve.size() == points,
                 "curve",
                 "must have one value for each of `times`");
  });
}

std::string to_json(const TrialTelemetry& telemetry) {
  return json_text(to_value(telemetry)) + "\n";  // names of devices may contain any bytes
}

TrialTelemetry parse_trial_telemetry(std::string_view text, const std::string& where) {
  return parse_record<TrialTelemetry>(text, where);
}

}  // namespace tune::telemetry
