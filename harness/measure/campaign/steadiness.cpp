#include "measure/campaign/steadiness.h"

#include "base/stats/log_ratio.h"
#include "base/stats/quantile.h"
#include "base/stats/rank_correlation.h"
#include "base/stats/steady_state.h"
#include "base/units.h"
#include "measure/campaign/taint.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>

namespace tune::campaign {

namespace {

using Slices = std::vector<trial::Slice>;

constexpr const char* kMemoryGrowth = "memory-growth";
constexpr const char* kPageFaults = "page-faults";
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
  const double moved = std::abs(drawn) / samples;
  if (moved < 1) {  // so many samples cost the loader nothing within the window
    veto.bias_ratio = 1 / (1 - moved) - 1;
  }
  const std::string share = stats::percent_text(moved);
  veto.why = drawn > 0 ? "the loader's stock was still draining: " + share +
                             " of the samples came out of it"
                       : "the loader's stock was still filling: as many as " + share +
                             " of the samples went into it";
  return veto;
}

}  // namespace

std::vector<Veto> steady_vetoes(const trial::TrialReply& reply, const CleanRate& clean) {
  std::vector<Veto> vetoes = {{kMemoryGrowth, memory_growth(reply.slices)},
                              {kPageFaults, page_faults(reply.slices)},
                              {"clock", clock(reply.slices)},
                              {"throttled", throttled(reply.slices)},
                              loader_stock(reply, clean)};
  std::erase_if(vetoes, [](const Veto& veto) { return veto.why.empty(); });
  return vetoes;
}

namespace {

// Steps of the slices that count, of all slices where none does; a worker keeps the times of its
// first steps only.
std::vector<double> measured_steps(const trial::TrialReply& reply, const CleanRate& clean) {
  std::vector<double> times;
  auto step = static_cast<std::size_t>(std::max<std::int64_t>(0, reply.warmup_steps));
  for (std::size_t i = 0; i < reply.slices.size(); ++i) {
    const std::size_t end = step + static_cast<std::size_t>(reply.slices[i].steps);
    for (; step < std::min(end, reply.step_ns.size()); ++step) {
      if (clean.slices.clean == 0 || clean.is_clean[i]) {
        times.push_back(static_cast<double>(std::max<std::int64_t>(1, reply.step_ns[step])));
      }
    }
    step = end;
  }
  return times;
}

}  // namespace

bool Steadiness::has(const std::string& veto) const {
  return std::any_of(
      vetoes.begin(), vetoes.end(), [&](const Veto& each) { return each.name == veto; });
}

std::string Steadiness::label() const {
  return !vetoes.empty() ? vetoes.front().name : is_weak() ? "weak" : "steady";
}

std::string Steadiness::why() const {
  std::string text;
  for (const Veto& veto : vetoes) {
    text += (text.empty() ? "" : "; ") + veto.why;
  }
  return vetoes.empty() ? weakness : text;
}

std::optional<double> Steadiness::bias_ratio() const {
  double factor = 1;
  for (const Veto& veto : vetoes) {
    if (!veto.bias_ratio) {
      return std::nullopt;
    }
    factor *= 1 + *veto.bias_ratio;
  }
  return factor - 1;
}

Steadiness steadiness(const trial::TrialReply& reply) {
  Steadiness found;
  const CleanRate clean = clean_rate(reply);
  const stats::SteadyCheck check = stats::check_steady(measured_steps(reply, clean));
  if (!check.holds()) {
    found.vetoes.push_back({"no-steady-state",
                            "the last third of " + std::to_string(check.steps) +
                                " measured steps differs from the first by " +
                                stats::percent_text(*check.guard_ratio) + ", at most " +
                                stats::percent_text(check.limit_ratio) + " would be steady",
                            std::expm1(*check.guard_ratio)});
  }
  for (Veto& veto : steady_vetoes(reply, clean)) {
    // What memory costs a step more at the end of the window than at its begin is in the times.
    if (check.guard_ratio && (veto.name == kMemoryGrowth || veto.name == kPageFaults)) {
      veto.bias_ratio = std::expm1(std::max(*check.guard_ratio, check.limit_ratio));
    }
    found.vetoes.push_back(std::move(veto));
  }
  if (check.is_weak()) {
    found.weakness = std::to_string(check.steps) + " measured steps of " +
                     stats::percent_text(check.sigma_ratio) + " noise; a slow drift shows from " +
                     std::to_string(check.steps_to_trust);
  }
  return found;
}

void SteadyTally::add(const std::string& trial, const Steadiness& steadiness) {
  ++trials;
  if (steadiness.is_steady()) {
    weak += steadiness.is_weak() ? 1 : 0;
    return;
  }
  ++not_steady;
  if (const std::optional<double> bias = steadiness.bias_ratio()) {
    biases.push_back(*bias);
  }
  for (const Veto& veto : steadiness.vetoes) {
    ++vetoes[veto.name];
  }
  if (first.empty()) {
    first = trial + ": " + steadiness.why();
  }
}

std::optional<double> SteadyTally::typical_bias_ratio() const {
  if (static_cast<std::int64_t>(biases.size()) < not_steady) {
    return std::nullopt;
  }
  return biases.empty() ? 0 : stats::median(biases);
}

std::string SteadyTally::label() const {
  if (trials == 0) {
    return "";
  }
  if (is_mostly_not_steady()) {
    return std::max_element(vetoes.begin(),
                            vetoes.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }
  return 2 * (weak + not_steady) > trials ? "weak" : "steady";
}

std::string SteadyTally::text(const std::string& what) const {
  if (not_steady == 0) {
    return "";
  }
  std::string names;
  for (const auto& [name, count] : vetoes) {
    names += (names.empty() ? "" : ", ") + std::to_string(count) + " " + name;
  }
  return std::to_string(not_steady) + " of " + std::to_string(trials) + " " + what +
         (not_steady == 1 ? " was" : " were") + " not steady (" + names + "), the first: " + first;
}

}  // namespace tune::campaign
