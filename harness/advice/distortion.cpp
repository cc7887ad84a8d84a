#include "advice/distortion.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>

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

bool is_time(const std::string& name, const Value& value) {
  const auto* const number = std::get_if<Number>(&value.data);
  if (number == nullptr || std::find(kExact.begin(), kExact.end(), name) != kExact.end()) {
    return false;
  }
  return number->dimension.time != 0 || name.ends_with("_ratio") || name.ends_with("_efficiency");
}

double trusted_dilation(const rule::Catalog& catalog) {
  const rule::Rule* const distortion = catalog.find("profiler-distortion");
  const rule::Limit* const limit =
      distortion != nullptr ? distortion->find_limit("dilation") : nullptr;
  const auto* const number = limit != nullptr ? std::get_if<Number>(&limit->value.data) : nullptr;
  return number != nullptr ? number->value : kTrustedDilation;
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
