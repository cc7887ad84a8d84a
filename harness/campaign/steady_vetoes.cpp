#include "campaign/steady_vetoes.h"

#include "base/units.h"
#include "stats/log_ratio.h"
#include "stats/quantile.h"
#include "stats/rank_correlation.h"

#include <cmath>
#include <functional>
#include <optional>

namespace tune::campaign {

namespace {

using Slices = std::vector<trial::Slice>;

constexpr double kTrendLevel = 0.01;
constexpr double kMemoryRatio = 0.02;
constexpr double kMemoryBytes = 16 << 20;
constexpr double kFaultNs = 1'000;
constexpr double kFaultRatio = 0.01;
constexpr double kClockRatio = 0.01;
constexpr double kStockRatio = 0.01;

// One number a slice; nothing where a slice has none.
std::optional<std::vector<double>> series_of(
    const Slices& slices, const std::function<std::optional<double>(const trial::Slice&)>& read) {
  std::vector<double> values;
  values.reserve(slices.size());
  for (const trial::Slice& slice : slices) {
    const std::optional<double> value = read(slice);
    if (!value) {
      return std::nullopt;
    }
    values.push_back(*value);
  }
  return values;
}

std::string from_to(const stats::Trend& trend) {
  return (trend.change_ratio > 0 ? "rose by " : "fell by ") +
         stats::percent_text(std::abs(trend.change_ratio));
}

std::string over(std::size_t slices) {
  return " over the " + std::to_string(slices) + " slices";
}

std::string memory_growth(const Slices& slices) {
  const auto bytes = series_of(slices, [](const trial::Slice& slice) -> std::optional<double> {
    const auto resident = slice.disturbance.resident_bytes;
    return resident ? std::optional(static_cast<double>(*resident)) : std::nullopt;
  });
  if (!bytes || bytes->empty()) {
    return "";
  }
  const stats::Trend trend = stats::kendall_trend(*bytes);
  const double grown = trend.change_ratio * stats::median(*bytes);
  if (trend.p > kTrendLevel || trend.change_ratio <= kMemoryRatio || grown <= kMemoryBytes) {
    return "";
  }
  return "the resident memory still grew, by " + format_bytes(std::llround(grown)) + " (" +
         stats::percent_text(trend.change_ratio) + ")" + over(slices.size());
}

std::string page_faults(const Slices& slices) {
  double wall_ns = 0;
  double steps = 0;
  for (const trial::Slice& slice : slices) {
    wall_ns += static_cast<double>(slice.wall_ns);
    steps += static_cast<double>(slice.steps);
  }
  const auto faults = series_of(slices, [](const trial::Slice& slice) -> std::optional<double> {
    return slice.steps > 0 ? std::optional(static_cast<double>(slice.disturbance.minor_faults) /
                                           static_cast<double>(slice.steps))
                           : std::nullopt;
  });
  if (!faults || faults->empty()) {
    return "";
  }
  const stats::Trend trend = stats::kendall_trend(*faults);
  const double moved = std::abs(trend.change_ratio) * stats::median(*faults);
  if (trend.p > kTrendLevel || moved * kFaultNs <= kFaultRatio * wall_ns / steps) {
    return "";
  }
  return "the page faults of a step " + from_to(trend) + over(slices.size()) + ", " +
         std::to_string(std::llround(faults->front())) + " in the first and " +
         std::to_string(std::llround(faults->back())) + " in the last";
}

std::string clock(const Slices& slices) {
  const auto mhz =
      series_of(slices, [](const trial::Slice& slice) { return slice.disturbance.mean_mhz; });
  if (!mhz) {
    return "";
  }
  const stats::Trend trend = stats::kendall_trend(*mhz);
  if (trend.p > kTrendLevel || std::abs(trend.change_ratio) <= kClockRatio) {
    return "";
  }
  return "the CPU clock " + from_to(trend) + over(slices.size()) + ", from " +
         std::to_string(std::llround(mhz->front())) + " to " +
         std::to_string(std::llround(mhz->back())) + " MHz";
}

std::string throttled(const Slices& slices) {
  std::size_t hot = 0;
  for (const trial::Slice& slice : slices) {
    hot += slice.disturbance.throttle_events.value_or(0) > 0 ? 1 : 0;
  }
  return hot == 0 ? ""
                  : "heat slowed the CPU down in " + std::to_string(hot) + " of " +
                        std::to_string(slices.size()) + " slices";
}

Veto loader_stock(const trial::TrialReply& reply, const CleanRate& clean) {
  const Slices& slices = reply.slices;
  Veto veto{.name = "loader-stock", .why = ""};
  double drawn = 0;
  double samples = 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (clean.slices.clean == 0 || clean.is_clean[i]) {
      drawn += static_cast<double>(slices[i].stock_before - slices[i].stock_after);
      samples += static_cast<double>(slices[i].samples);
    }
  }
  if (samples <= 0 || std::abs(drawn) <= kStockRatio * samples) {
    veto.why =
        reply.stock_matched ? "" : "the loader's stock did not match at the edges of the window";
    return veto;
  }
  veto.bias_ratio = std::abs(drawn) / samples;
  const std::string share = stats::percent_text(*veto.bias_ratio);
  veto.why = drawn > 0 ? "the loader's stock was still draining: " + share +
                             " of the samples came out of it"
                       : "the loader's stock was still filling: as many as " + share +
                             " of the samples went into it";
  return veto;
}

}  // namespace

std::vector<Veto> steady_vetoes(const trial::TrialReply& reply, const CleanRate& clean) {
  std::vector<Veto> vetoes = {{"memory-growth", memory_growth(reply.slices)},
                              {"page-faults", page_faults(reply.slices)},
                              {"clock", clock(reply.slices)},
                              {"throttled", throttled(reply.slices)},
                              loader_stock(reply, clean)};
  std::erase_if(vetoes, [](const Veto& veto) { return veto.why.empty(); });
  return vetoes;
}

}  // namespace tune::campaign
