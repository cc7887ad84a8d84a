#include "advice/distortion.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tune::advice {

namespace {

using expression::Number;
using expression::Unknown;
using expression::Value;

constexpr double kTrustedDilation = 1.15;  // ours

// Ratios of counts and sizes, which recording does not change.
constexpr std::array<std::string_view, 7> kExact = {"peak_memory_ratio",
                                                    "peak_growth_ratio",
                                                    "reserved_ratio",
                                                    "reserved_allocated_ratio",
                                                    "small_message_ratio",
                                                    "uncorrelated_kernel_ratio",
                                                    "profiler_dilation_ratio"};

// Facts of kernels alone. Recording makes the host slower and leaves a kernel as long as it was.
constexpr std::array<std::string_view, 12> kOfKernels = {"bf16_time_ratio",
                                                         "eligible_ratio",
                                                         "fp32_gemm_ratio",
                                                         "half_time_ratio",
                                                         "kernel_time_mean",
                                                         "kernel_time_median",
                                                         "layout_kernel_ratio",
                                                         "misaligned_gemm_ratio",
                                                         "roofline_efficiency_ratio",
                                                         "small_grid_ratio",
                                                         "tensor_core_ratio",
                                                         "tensor_core_time_ratio"};

// Time of the device over that of the step: the time is right, the step was too long.
constexpr std::array<std::string_view, 8> kOverSteps = {"conv_ratio",
                                                        "gemm_conv_ratio",
                                                        "gpu_busy_ratio",
                                                        "d2h_device_ratio",
                                                        "h2d_device_ratio",
                                                        "kernel_share_ratio",
                                                        "mfu",
                                                        "sm_efficiency"};

template <std::size_t size>
bool is_among(const std::array<std::string_view, size>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_time(const std::string& name, const Value& value) {
  const auto* const number = std::get_if<Number>(&value.data);
  if (number == nullptr || is_among(kExact, name)) {
    return false;
  }
  return number->dimension.time != 0 || name == "mfu" || name.ends_with("_ratio") ||
         name.ends_with("_efficiency");
}

double trusted_dilation(const rule::Catalog& catalog) {
  const rule::Rule* const distortion = catalog.find("profiler-distortion");
  const rule::Limit* const limit =
      distortion != nullptr ? distortion->find_limit("dilation") : nullptr;
  const auto* const number = limit != nullptr ? std::get_if<Number>(&limit->value.data) : nullptr;
  return number != nullptr ? number->value : kTrustedDilation;
}

std::optional<double> number_of(const rule::FactTable& facts, const char* name) {
  const expression::Result result = facts.value(name);
  const auto* const value = std::get_if<Value>(&result);
  return value != nullptr ? std::optional(std::get<Number>(value->data).value) : std::nullopt;
}

void set_ratio(const rule::FactTable& facts,
               const char* name,
               double ratio,
               rule::FactTable& trusted) {
  rule::Fact corrected = *facts.find(name);
  corrected.result = Value::of(std::clamp(ratio, 0.0, 1.0));
  trusted.set(name, std::move(corrected));
}

// What a device waits for the host. All by which recording stretched the step may have been that,
// so it is taken off: what is left it waits at least, and no less than the events of the measured
// window show between its steps. Where most of the idle time follows a synchronisation, the host
// was to wait, and nothing is said.
void keep_waits(const rule::FactTable& facts, double dilation, rule::FactTable& trusted) {
  const auto host = number_of(facts, "host_wait_ratio");
  const auto of_idle = number_of(facts, "idle_host_wait_ratio");
  if (!host || !of_idle || !(*of_idle > 0)) {
    return;
  }
  constexpr double kMost = 0.5;
  if (number_of(facts, "idle_after_sync_ratio").value_or(0) >= kMost * *host / *of_idle) {
    return;
  }
  const double idle = dilation * *host / *of_idle;  // in measured steps, as all below
  const double left = idle - (dilation - 1);
  const double between_steps = number_of(facts, "stream_idle_ratio").value_or(-1);
  const double host_left = std::max(dilation * *host - (dilation - 1), between_steps);
  if (left > 0 && host_left >= 0) {
    set_ratio(facts, "host_wait_ratio", host_left, trusted);
    set_ratio(facts, "idle_host_wait_ratio", host_left / left, trusted);
  }
}

// What a device waits for batches: what the events of the measured window show, and no more than
// the copies took.
void keep_transfers(const rule::FactTable& facts, rule::FactTable& trusted) {
  const auto waited = number_of(facts, "stream_transfer_ratio");
  const auto copied = number_of(trusted, "h2d_device_ratio");
  if (waited && copied && number_of(facts, "h2d_exposed_ratio")) {
    set_ratio(facts, "h2d_exposed_ratio", std::min(*waited, *copied), trusted);
  }
}

// What a GPU did is known also where the host was slowed down.
void keep_device(const rule::FactTable& facts, double dilation, rule::FactTable& trusted) {
  if (!number_of(facts, "gpu_busy_ratio")) {
    return;
  }
  for (const std::string_view name : kOfKernels) {
    if (const rule::Fact* const fact = facts.find(name)) {
      trusted.set(std::string(name), *fact);
    }
  }
  for (const std::string_view name : kOverSteps) {
    const std::string text(name);
    if (const auto ratio = number_of(facts, text.c_str())) {
      set_ratio(facts, text.c_str(), *ratio * dilation, trusted);
    }
  }
  if (const auto idle = number_of(facts, "device_idle_ratio")) {
    set_ratio(facts, "device_idle_ratio", 1 - dilation * (1 - *idle), trusted);
  }
  keep_waits(facts, dilation, trusted);
  keep_transfers(facts, trusted);
}

}  // namespace

rule::FactTable without_distorted_times(const rule::Catalog& catalog,
                                        const rule::FactTable& facts) {
  const expression::Result dilation = facts.value("profiler_dilation_ratio");
  const auto* const value = std::get_if<Value>(&dilation);
  const double factor = value != nullptr ? std::get<Number>(value->data).value : 1;
  if (!(factor > trusted_dilation(catalog))) {
    return facts;
  }
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%.2f", factor);
  const std::string reason = std::string("recording made the step ") + text.data() +
                             " times as long: times of the profiled window are not trusted";
  rule::FactTable trusted = facts;
  for (const auto& [name, fact] : facts.facts()) {
    const auto* const known = std::get_if<Value>(&fact.result);
    if (known != nullptr && fact.window == "profile" && is_time(name, *known)) {
      rule::Fact refused = fact;
      refused.result = Unknown{reason};
      trusted.set(name, std::move(refused));
    }
  }
  keep_device(facts, factor, trusted);
  return trusted;
}

rule::FactTable without_rejected_window(const std::vector<Finding>& findings,
                                        const rule::FactTable& facts) {
  const auto rejecting = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.has_fired() && finding.rule->rejects_window;
  });
  if (rejecting == findings.end()) {
    return facts;
  }
  rule::FactTable trusted = facts;
  for (const auto& [name, fact] : facts.facts()) {
    if (fact.window == "profile" && std::holds_alternative<Value>(fact.result)) {
      rule::Fact refused = fact;
      refused.result = Unknown{"rejected by " + rejecting->rule->id};
      trusted.set(name, std::move(refused));
    }
  }
  return trusted;
}

}  // namespace tune::advice
