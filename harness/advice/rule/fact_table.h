#pragma once

#include "advice/rule/known_name.h"
#include "base/expression/expression.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::rule {

/// A row of a trace that shows what a value is made of.
struct Example {
  std::string name;
  std::int64_t start_ns = 0, duration_ns = 0;  ///< as in the trace
};

/// What is known of one name.
struct Fact {
  expression::Result result;          ///< the value, or why there is none
  std::string source;                 ///< "trace", "trial t0003", "fixture"
  std::string window;                 ///< "profile", "measure"; "" where time does not matter
  std::vector<std::string> warnings;  ///< those of a metric: "one-step", "no-rows"
  std::vector<Example> examples;      ///< the most telling first
};

/// What rules are evaluated on: name -> value with its unit, or why it is not applicable. Whoever
/// measured something adds it; names that nobody added are unknown, with the reason of their
/// origin.
class FactTable {
 public:
  /// Adds a fact, or replaces it. The name must be known (find_known_name). A value of another type
  /// or unit than the name has, or no finite number, becomes an unknown that says so.
  void set(const std::string& name, Fact fact);

  /// Null when nobody added it.
  const Fact* find(std::string_view name) const;

  /// The value, or why there is none.
  expression::Result value(const std::string& name) const;

  /// What is said of names of this origin that nobody added, instead of why_missing(origin).
  void explain_missing(Origin origin, std::string reason) { missing_[origin] = std::move(reason); }

  const std::map<std::string, Fact, std::less<>>& facts() const { return facts_; }

  /// Steps from which the numbers come; 0 when that is not known.
  std::int64_t step_count = 0;
  /// The module of torch for the device, as code names it: torch.cuda, torch.xpu, torch.npu.
  std::string device_module = "cuda";

 private:
  std::map<std::string, Fact, std::less<>> facts_;
  std::map<Origin, std::string> missing_;
};

/// Why a name of this type cannot have the value ("is a number, not time"), or "" when it can.
std::string complaint_about(const expression::Type& type, const expression::Value& value);

}  // namespace tune::rule
