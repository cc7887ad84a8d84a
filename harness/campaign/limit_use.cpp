#include "campaign/limit_use.h"

#include "campaign/expected_decoding.h"
#include "campaign/forward_products.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tune::campaign {

namespace {

using expression::Dimension;
using expression::Result;
using expression::Unknown;
using expression::Value;

constexpr const char* kSource = "tune probe";
constexpr const char* kOperator = "add of one element";  // it allocates its result, as most do
constexpr Dimension kTime{.time = 1};

/// Something that a row needs is missing; never leaves this file.
struct Missing {
  std::string reason;
};

std::string knob_text(const trial::TrialSpec& spec, const char* name) {
  const auto knob = spec.knobs.find(name);
  return knob == spec.knobs.end() ? "" : trial::to_text(knob->second);
}

// "2 threads", as the probe's labels say it.
std::string threads_text(double threads) {
  const std::int64_t count = std::llround(threads);
  return std::to_string(count) + (count == 1 ? " thread" : " threads");
}

class Limits {
 public:
  Limits(const probe::ProbeRecord& record, const LimitSubject& subject, rule::FactTable& facts)
      : record_(record), subject_(subject), facts_(facts) {}

  std::vector<LimitRow> rows() {
    add({"matmul_flop_rate", "", "FLOP/s"}, "matmul_limit_ratio", &Limits::products);
    add({"decode_time", "", "s"}, "decode_limit_ratio", &Limits::decoding);
    add({"disk_read_rate", "", "B/s"}, "disk_limit_ratio", &Limits::disk);
    add({"operator_time", kOperator, "s"}, "operator_limit_ratio", &Limits::operators);
    add({"page_fault_rate", "1 thread", "1/s"}, "page_fault_limit_ratio", &Limits::page_faults);
    add_link();
    add_roofline();
    return std::move(rows_);
  }

 private:
  // A method sets both numbers and returns the ratio.
  void add(LimitRow row, const char* fact, double (Limits::*find)(LimitRow& row)) {
    Result result = Unknown{};
    try {
      const double ratio = (this->*find)(row);
      if (!std::isfinite(ratio)) {
        throw Missing{"one of the two numbers is 0"};
      }
      row.ratio = ratio;
      result = Value::of(ratio);
    } catch (const Missing& missing) {
      row.reason = missing.reason;
      result = Unknown{missing.reason};
    }
    facts_.set(fact, {.result = std::move(result), .source = kSource});
    rows_.push_back(std::move(row));
  }

  const Value& value(const char* name) {
    result_ = facts_.value(name);
    if (const auto* const unknown = std::get_if<Unknown>(&result_)) {
      std::string reason = name;
      reason += ": ";
      throw Missing{reason += unknown->reason};
    }
    return std::get<Value>(result_);
  }

  double number(const char* name) {
    const auto* const found = std::get_if<expression::Number>(&value(name).data);
    if (found == nullptr) {
      throw Missing{std::string(name) + " is no number"};
    }
    return found->value;
  }

  double probed(const char* id, const std::string& label) const {
    const auto found = probe::value_of(record_, id, label);
    if (!found) {
      std::string reason = "the probe has no ";
      reason += id;
      reason += label.empty() ? "" : " of ";
      throw Missing{reason += label};
    }
    return *found;
  }

  double products(LimitRow& row) {
    if (value("device") != Value::of("cpu")) {
      throw Missing{"the probe measures matrix products of the CPU"};
    }
    const std::string amp = knob_text(subject_.spec, "amp");
    if (amp == "fp16") {
      throw Missing{"the probe measures fp32 and bf16"};
    }
    row.label = products_label();
    row.limit = probed("matmul_flop_rate", row.label);
    const ForwardProducts found = forward_products(subject_.profile);
    if (!found.flop_rate) {
      throw Missing{found.reason};
    }
    row.reached = found.flop_rate;
    return *row.reached / *row.limit;
  }

  std::string products_label() {
    const std::string amp = knob_text(subject_.spec, "amp");
    const bool is_bf16 = amp == "bf16" || knob_text(subject_.spec, "matmul_precision") == "medium";
    return (is_bf16 ? "bf16, " : "fp32, ") + threads_text(number("intra_op_threads"));
  }

  // Of a GPU the trace knows the peaks by its name; of this CPU the probe has measured them.
  void add_roofline() {
    const auto set = [&](const char* name, Result result) {
      facts_.set(name, {.result = std::move(result), .source = kSource, .window = "profile"});
    };
    try {
      if (value("device") != Value::of("cpu")) {
        return;
      }
      const double flops = number("kernel_flops"), bytes = number("kernel_bytes");
      const double flop_rate = probed("matmul_flop_rate", products_label());
      const double memory_rate =
          probed("memory_copy_rate", threads_text(number("intra_op_threads")));
      set("peak_flop_rate", Value::of(flop_rate, {.time = -1}));
      set("peak_memory_rate", Value::of(memory_rate, {.time = -1, .bytes = 1}));
      const double least_s = std::max(flops / flop_rate, bytes / memory_rate);
      set("roofline_efficiency_ratio", Value::of(least_s / number("kernel_call_time")));
    } catch (const Missing& missing) {
      set("roofline_efficiency_ratio", Unknown{missing.reason});
    }
  }

  double decoding(LimitRow& row) {
    if (knob_text(subject_.spec, "decode") != "full") {
      throw Missing{"the probe decodes whole frames, the trial parts of them"};
    }
    const ExpectedDecoding expected =
        expected_decoding(record_, subject_.spec.data, subject_.spec.workload.classes);
    if (!expected.seconds) {
      throw Missing{expected.reason};
    }
    row.limit = expected.seconds;
    facts_.set("predicted_decode_time",
               {.result = Value::of(*row.limit, kTime), .source = kSource});
    row.reached = number("decode_time");
    return *row.limit / *row.reached;
  }

  double disk(LimitRow& row) {
    constexpr std::array<const char*, 2> kWays = {"1 MiB in a row", "128 KiB anywhere"};
    for (const char* const way : kWays) {
      const auto rate = probe::value_of(record_, "disk_read_rate", way);
      if (rate && *rate > row.limit.value_or(0)) {
        row.limit = rate;
        row.label = way;
      }
    }
    if (!row.limit) {
      throw Missing{"the probe has no disk_read_rate"};
    }
    row.reached = number("disk_read_rate");
    return *row.reached / *row.limit;
  }

  double operators(LimitRow& row) {
    const double cost_s = probed("operator_time", kOperator);
    facts_.set("operator_cost_time", {.result = Value::of(cost_s, kTime), .source = kSource});
    row.limit = number("operator_count") * cost_s;
    row.reached = number("step_time");
    return *row.limit / *row.reached;
  }

  double page_faults(LimitRow& row) {
    row.limit = probed("page_fault_rate", row.label);
    row.reached = number("minor_fault_count") / number("step_time");
    return *row.reached / *row.limit;
  }

  // The probe copies page-locked memory, as fast as the link allows.
  void add_link() {
    const auto rate = probe::value_of(record_, "h2d_rate", "");
    facts_.set("link_peak_rate",
               {.result = rate ? Result(Value::of(*rate, {.time = -1, .bytes = 1}))
                               : Result(Unknown{"the probe copied nothing to a GPU"}),
                .source = kSource});
  }

  const probe::ProbeRecord& record_;
  const LimitSubject& subject_;
  rule::FactTable& facts_;
  Result result_;
  std::vector<LimitRow> rows_;
};

}  // namespace

LimitUse limit_use(const StoredProbe& probe, const LimitSubject& subject, rule::FactTable& facts) {
  LimitUse found;
  if (!probe.record) {
    found.reason = probe.reason;
    return found;
  }
  found.probed_utc = probe.record->utc;
  found.is_quick = probe.record->is_quick;
  found.rows = Limits(*probe.record, subject, facts).rows();
  return found;
}

}  // namespace tune::campaign
