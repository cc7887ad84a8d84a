#include "measure/campaign/limit_use.h"

#include "advice/rule/trace_facts.h"
#include "dataset/generated_spec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tune::campaign {

namespace {

/// What decoding one image of the probe's kind should cost, by what it found here.
class DecodeModel {
 public:
  DecodeModel(const probe::ProbeRecord& record, const char* label)
      : per_kb_(probe::value_of(record, "decode_time_per_kb", label)),
        per_kpx_(probe::value_of(record, "decode_time_per_kpx", label)) {}

  bool is_known() const { return per_kb_ && per_kpx_; }

  double seconds(const dataset::ImagePlan& image) const {
    constexpr double kKilo = 1e-3, kMicro = 1e-6;
    const double pixels = static_cast<double>(image.width) * static_cast<double>(image.height);
    return (*per_kb_ * static_cast<double>(image.target_bytes) + *per_kpx_ * pixels) * kKilo *
           kMicro;
  }

 private:
  std::optional<double> per_kb_, per_kpx_;
};

}  // namespace

ExpectedDecoding expected_decoding(const probe::ProbeRecord& record,
                                   const trial::Data& data,
                                   std::int64_t classes) {
  if (data.source != "generated-jpeg") {
    return {.reason = data.source == "image-folder" ? "the sizes of a folder's images are not known"
                                                    : "nothing is decoded"};
  }
  constexpr std::int64_t kMost = 512;
  const std::int64_t images = std::min(kMost, data.samples);
  if (images <= 0) {
    return {.reason = "the data set is empty"};
  }
  const dataset::GeneratedSpec spec{
      .profile = data.profile, .samples = data.samples, .classes = classes};
  const DecodeModel coarse(record, "4:2:0"), fine(record, "4:4:4");
  double sum_s = 0;
  for (std::int64_t i = 0; i < images; ++i) {
    const dataset::ImagePlan image = dataset::plan_image(spec, i);
    const DecodeModel& model = image.subsampling == dataset::Subsampling::none_444 ? fine : coarse;
    if (!model.is_known()) {
      return {.reason = "the probe did not time decoding"};
    }
    sum_s += model.seconds(image);
  }
  return {.seconds = sum_s / static_cast<double>(images)};
}

namespace {

using table::Table;

constexpr std::array<std::string_view, 5> kProducts = {
    "aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm", "aten::conv2d"};

bool has_column(const Table& table, const char* column) {
  return table::column_index(table, column) < table.columns.size();
}

const Table* operators_of(const TraceNumbers& trace) {
  const auto found = std::find_if(trace.tables.begin(), trace.tables.end(), [](const Table& table) {
    return table.id == "operators";
  });
  return found == trace.tables.end() ? nullptr : &*found;
}

std::int64_t whole(const Table& table, const table::Row& row, const char* column) {
  const auto* const number = std::get_if<std::int64_t>(&cell(table, row, column));
  return number == nullptr ? 0 : *number;
}

ForwardProducts unknown(std::string reason) {
  return {std::nullopt, std::move(reason)};
}

ForwardProducts rate_in(const Table& table) {
  double operations = 0, seconds = 0;
  for (const table::Row& row : table.rows) {
    const auto* const name = std::get_if<std::string>(&cell(table, row, "name"));
    const bool is_product =
        name != nullptr && std::find(kProducts.begin(), kProducts.end(), *name) != kProducts.end();
    const std::int64_t flops = is_product ? whole(table, row, "flops") : 0;
    if (flops > 0) {
      operations += static_cast<double>(flops);
      seconds += static_cast<double>(whole(table, row, "cpu_time_total")) * 1e-9;
    }
  }
  return seconds > 0 ? ForwardProducts{operations / seconds, ""}
                     : unknown("the steps call no matrix product with a formula");
}

}  // namespace

ForwardProducts forward_products(const ProfiledCell* profile) {
  if (profile == nullptr || !profile->trace) {
    return unknown("no steps of the baseline were recorded");
  }
  if (profile->dilation.value_or(1) > kDilationLimit) {
    return unknown("recording stretched the steps too much for times");
  }
  const Table* const operators = operators_of(*profile->trace);
  if (operators == nullptr || !has_column(*operators, "cpu_time_total")) {
    return unknown("the trace has no operators");
  }
  if (!has_column(*operators, "flops")) {
    return unknown("operations follow from inputs, which `profile: {with_flops: true}` records");
  }
  return rate_in(*operators);
}

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
      throw Missing{std::string(name) + " is not a number"};
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

  // Only for a CPU, whose peaks the probe has measured: the trace looks up a GPU's by its name.
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

void add_unprobed(const StoredProbe& probe, rule::FactTable& facts) {
  if (!probe.record) {
    rule::add_metrics({metric::not_applicable("operator_cost_time", "s", probe.reason),
                       metric::not_applicable("link_peak_rate", "B/s", probe.reason)},
                      "tune probe",
                      "",
                      facts);
  }
}

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
