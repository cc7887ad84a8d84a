#include "measure/campaign/limit_use.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tune::campaign {
namespace {

using expression::Value;
using Dimension = expression::Dimension;

probe::ProbeRecord record() {
  probe::ProbeRecord found;
  found.utc = "2026-03-01T10:15:00Z";
  found.numbers = {{"matmul_flop_rate", "fp32, 2 threads", "FLOP/s", 100e9},
                   {"matmul_flop_rate", "bf16, 2 threads", "FLOP/s", 400e9},
                   {"decode_time_per_kb", "4:2:0", "us/KB", 5},
                   {"decode_time_per_kpx", "4:2:0", "us/kpx", 2},
                   {"decode_time_per_kb", "4:4:4", "us/KB", 5},
                   {"decode_time_per_kpx", "4:4:4", "us/kpx", 3},
                   {"disk_read_rate", "1 MiB in a row", "B/s", 2e9},
                   {"disk_read_rate", "128 KiB anywhere", "B/s", 1e9},
                   {"operator_time", "add of one element", "s", 500e-9},
                   {"h2d_rate", "", "B/s", 55e9},
                   {"memory_copy_rate", "2 threads", "B/s", 10e9},
                   {"page_fault_rate", "1 thread", "1/s", 400'000}};
  return found;
}

// A step of 10 ms with 4000 operators and 400 page faults.
rule::FactTable facts() {
  rule::FactTable table;
  const auto set = [&](const char* name, double value, Dimension dimension = {}) {
    table.set(name, {.result = Value::of(value, dimension)});
  };
  table.set("device", {.result = Value::of("cpu")});
  set("intra_op_threads", 2);
  set("operator_count", 4000);
  set("minor_fault_count", 400);
  set("step_time", 0.01, {.time = 1});
  set("decode_time", 2e-3, {.time = 1});
  set("disk_read_rate", 500e6, {.time = -1, .bytes = 1});
  return table;
}

trial::TrialSpec spec() {
  trial::TrialSpec asked;
  asked.data.source = "generated-jpeg";
  asked.data.profile = "imagenet";
  asked.data.samples = 100;
  asked.workload.classes = 10;
  asked.knobs = {{"amp", std::string("none")},
                 {"decode", std::string("full")},
                 {"matmul_precision", std::string("highest")}};
  return asked;
}

// Two matrix products of 1e9 operations each in 20 ms, and rows that are none.
ProfiledCell profiled() {
  table::Table operators;
  operators.id = "operators";
  operators.columns = {{.id = "name"},
                       {.id = "cpu_time_total", .quantity = table::Quantity::time_ns},
                       {.id = "flops", .quantity = table::Quantity::count}};
  const auto row = [](const char* name, std::int64_t ns, table::Cell flops) {
    return table::Row{std::string(name), ns, std::move(flops)};
  };
  operators.rows = {row("aten::addmm", 20'000'000, std::int64_t{1'000'000'000}),
                    row("aten::mm", 20'000'000, std::int64_t{1'000'000'000}),
                    row("aten::add", 1'000'000, std::int64_t{5'000}),
                    row("aten::linear", 21'000'000, {})};
  ProfiledCell cell;
  cell.trace.emplace().tables = {operators};
  return cell;
}

const LimitRow* find(const LimitUse& found, const std::string& id) {
  const auto row = std::find_if(
      found.rows.begin(), found.rows.end(), [&](const auto& each) { return each.id == id; });
  return row == found.rows.end() ? nullptr : &*row;
}

double fact(const rule::FactTable& table, const char* name) {
  const auto result = table.value(name);
  const auto* const value = std::get_if<Value>(&result);
  return value == nullptr ? -1 : std::get<expression::Number>(value->data).value;
}

TEST(LimitUse, ComparesTheTrialWithTheProbeOfItsMachine) {
  rule::FactTable table = facts();
  const ProfiledCell profile = profiled();
  const LimitUse found = limit_use({record(), ""}, {spec(), &profile}, table);
  EXPECT_EQ(found.reason, "");
  EXPECT_EQ(found.probed_utc, "2026-03-01T10:15:00Z");
  ASSERT_EQ(found.rows.size(), 5U);
  const LimitRow& products = *find(found, "matmul_flop_rate");
  EXPECT_EQ(products.label, "fp32, 2 threads");
  EXPECT_DOUBLE_EQ(products.reached.value_or(0), 50e9);
  EXPECT_DOUBLE_EQ(products.ratio.value_or(0), 0.5);
  EXPECT_DOUBLE_EQ(find(found, "disk_read_rate")->ratio.value_or(0), 0.25) << "of the faster way";
  EXPECT_DOUBLE_EQ(find(found, "operator_time")->ratio.value_or(0), 0.2) << "2 ms of 10";
  EXPECT_DOUBLE_EQ(find(found, "page_fault_rate")->ratio.value_or(0), 0.1) << "40 k/s of 400 k/s";
  const LimitRow& decoding = *find(found, "decode_time");
  EXPECT_DOUBLE_EQ(decoding.reached.value_or(0), 2e-3);
  EXPECT_DOUBLE_EQ(*decoding.ratio, *decoding.limit / 2e-3);
  EXPECT_GT(*decoding.limit, 0.5e-3) << "110 KB and 188 kpx in the mean take about 0.9 ms";
  EXPECT_LT(*decoding.limit, 1.5e-3);
}

TEST(LimitUse, GivesRulesTheirFacts) {
  rule::FactTable table = facts();
  const ProfiledCell profile = profiled();
  const LimitUse found = limit_use({record(), ""}, {spec(), &profile}, table);
  EXPECT_DOUBLE_EQ(fact(table, "operator_cost_time"), 500e-9);
  EXPECT_DOUBLE_EQ(fact(table, "predicted_decode_time"), *find(found, "decode_time")->limit);
  EXPECT_DOUBLE_EQ(fact(table, "matmul_limit_ratio"), 0.5);
  EXPECT_DOUBLE_EQ(fact(table, "disk_limit_ratio"), 0.25);
  EXPECT_DOUBLE_EQ(fact(table, "operator_limit_ratio"), 0.2);
  EXPECT_DOUBLE_EQ(fact(table, "page_fault_limit_ratio"), 0.1);
  EXPECT_DOUBLE_EQ(fact(table, "link_peak_rate"), 55e9);
  EXPECT_EQ(table.find("operator_cost_time")->source, "tune probe");
}

TEST(LimitUse, BoundsTheProductsOfRecordedStepsByWhatTheProbeMeasured) {
  const auto efficiency = [](double flops, double bytes, double seconds) {
    rule::FactTable table = facts();
    table.set("kernel_flops", {.result = Value::of(flops)});
    table.set("kernel_bytes", {.result = Value::of(bytes, {.bytes = 1})});
    table.set("kernel_call_time", {.result = Value::of(seconds, {.time = 1})});
    limit_use({record(), ""}, {spec(), nullptr}, table);
    return fact(table, "roofline_efficiency_ratio");
  };
  EXPECT_DOUBLE_EQ(efficiency(1e9, 1e6, 0.02), 0.5) << "10 ms of 100 GFLOP/s in 20 ms";
  EXPECT_DOUBLE_EQ(efficiency(1e6, 100e6, 0.02), 0.5) << "10 ms of 10 GB/s in 20 ms";
  rule::FactTable none = facts();
  limit_use({record(), ""}, {spec(), nullptr}, none);
  EXPECT_TRUE(std::holds_alternative<expression::Unknown>(none.value("roofline_efficiency_ratio")));
  rule::FactTable elsewhere = facts();
  elsewhere.set("device", {.result = Value::of("cuda")});
  elsewhere.set("roofline_efficiency_ratio", {.result = Value::of(0.3)});
  limit_use({record(), ""}, {spec(), nullptr}, elsewhere);
  EXPECT_EQ(fact(elsewhere, "roofline_efficiency_ratio"), 0.3) << "the trace knows its GPU";
}

TEST(LimitUse, WithoutAProbeItNamesTheCommandAndAddsNothing) {
  rule::FactTable table = facts();
  const LimitUse found = limit_use({}, {spec(), nullptr}, table);
  EXPECT_TRUE(found.rows.empty());
  EXPECT_NE(found.reason.find("tune probe"), std::string::npos);
  EXPECT_EQ(table.find("operator_cost_time"), nullptr);
}

TEST(LimitUse, WhatIsMissingIsTheReasonOfItsRowAlone) {
  rule::FactTable table;
  table.set("device", {.result = Value::of("cpu")});
  table.set("disk_read_rate", {.result = expression::Unknown{"no disk to be seen"}});
  trial::TrialSpec synthetic = spec();
  synthetic.data.source = "synthetic";
  probe::ProbeRecord little = record();
  little.numbers.pop_back();  // page faults
  const LimitUse found = limit_use({little, ""}, {synthetic, nullptr}, table);
  EXPECT_EQ(find(found, "disk_read_rate")->reason, "disk_read_rate: no disk to be seen");
  EXPECT_EQ(find(found, "decode_time")->reason, "nothing is decoded");
  EXPECT_EQ(find(found, "page_fault_rate")->reason, "the probe has no page_fault_rate of 1 thread");
  EXPECT_NE(find(found, "operator_time")->reason, "");
  EXPECT_FALSE(find(found, "operator_time")->ratio.has_value());
  EXPECT_DOUBLE_EQ(fact(table, "operator_cost_time"), 500e-9) << "known all the same";
  EXPECT_TRUE(std::holds_alternative<expression::Unknown>(table.value("matmul_limit_ratio")));
}

TEST(LimitUse, ComparesTheTypeOfTheProductsAndTheWayOfDecoding) {
  rule::FactTable table = facts();
  const ProfiledCell profile = profiled();
  trial::TrialSpec asked = spec();
  asked.knobs["amp"] = std::string("bf16");
  asked.knobs["decode"] = std::string("roi");
  const LimitUse found = limit_use({record(), ""}, {asked, &profile}, table);
  EXPECT_EQ(find(found, "matmul_flop_rate")->label, "bf16, 2 threads");
  EXPECT_DOUBLE_EQ(find(found, "matmul_flop_rate")->ratio.value_or(0), 0.125);
  EXPECT_NE(find(found, "decode_time")->reason, "");
  asked.knobs["amp"] = std::string("fp16");
  EXPECT_EQ(find(limit_use({record(), ""}, {asked, &profile}, table), "matmul_flop_rate")->reason,
            "the probe measures fp32 and bf16");
}

TEST(LimitUse, ANumberOfNothingIsNoRatio) {
  rule::FactTable table = facts();
  table.set("step_time", {.result = Value::of(0.0, {.time = 1})});
  const LimitUse found = limit_use({record(), ""}, {spec(), nullptr}, table);
  EXPECT_FALSE(find(found, "operator_time")->ratio.has_value());
  EXPECT_EQ(find(found, "page_fault_rate")->reason, "one of the two numbers is 0");
}

TEST(ForwardProducts, NeedsInputsAndStepsThatWereNotStretched) {
  EXPECT_FALSE(forward_products(nullptr).flop_rate.has_value());
  ProfiledCell stretched = profiled();
  stretched.dilation = 1.3;
  EXPECT_NE(forward_products(&stretched).reason.find("stretched"), std::string::npos);
  ProfiledCell bare = profiled();
  bare.trace->tables[0].columns.pop_back();
  EXPECT_NE(forward_products(&bare).reason.find("with_flops"), std::string::npos);
  ProfiledCell none = profiled();
  none.trace->tables[0].rows.clear();
  EXPECT_FALSE(forward_products(&none).flop_rate.has_value());
  const ProfiledCell whole = profiled();
  EXPECT_DOUBLE_EQ(forward_products(&whole).flop_rate.value_or(0), 50e9);
}

}  // namespace
}  // namespace tune::campaign
