#include "sample_advice.h"

#include "../advice/sample_findings.h"
#include "sample_result.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using advice::MeasuredGain;
using advice::Recommendation;
using Verdict = MeasuredGain::Verdict;

MeasuredGain measured(double value, Verdict verdict) {
  MeasuredGain gain{.value = value, .lower = value - 0.012, .upper = value + 0.012};
  gain.pairs = 8;
  gain.verdict = verdict;
  gain.before = 58.3;
  gain.after = 58.3 * (1 + value);
  return gain;
}

campaign::Confirmation pairs(double gain, const std::string& cell) {
  campaign::Confirmation row;
  row.cell = cell;
  row.pairs = 8;
  row.gain = {
      .value = gain, .lower = gain - 0.02, .upper = gain + 0.02, .confidence = 0.95, .n = 8};
  row.verdict = "confirmed";
  return row;
}

// The gains of the ladder are those of the sample's own cells.
void add_ladder(campaign::CampaignResult& result) {
  result.ladder = {{.rules = {"wait"},
                    .cell = "c12",
                    .changed = {{"num_workers", std::int64_t{2}}},
                    .pairs = pairs(0.22, "c12"),
                    .step_gain = 0.22},
                   {.rules = {"wait", "small-batch"},
                    .cell = "c16",
                    .changed = {{"batch_size", std::int64_t{64}}, {"num_workers", std::int64_t{2}}},
                    .pairs = pairs(0.27, "c16"),
                    .step_gain = 0.041,
                    .product = 0.29,
                    .interaction = -0.016},
                   {.rules = {"wait", "small-batch", "layout"},
                    .cell = "",
                    .changed = {{"channels_last", true}},
                    .reason = "the budget had no time left for its pairs"}};
  result.ceilings = {{.id = "compute_ceiling", .trial = "ceiling1-baseline", .rate = 80},
                     {.id = "data_ceiling", .trial = "ceiling2-baseline", .reason = "crashed"}};
}

table::Table memory_timeline() {
  table::Table table{.id = "memory-timeline", .title = "Memory over time"};
  table.columns = {{"time", "Time", table::Quantity::time_ns},
                   {"device", "Device"},
                   {"allocated", "Allocated", table::Quantity::bytes},
                   {"reserved", "Reserved", table::Quantity::bytes}};
  for (std::int64_t i = 0; i < 20; ++i) {
    const std::int64_t allocated = (300 + (i * 37) % 90) << 20;
    table.rows.push_back({i * 36'000'000, std::string("CPU"), allocated, std::int64_t{512} << 20});
  }
  return table;
}

table::Table kernels() {
  table::Table table{.id = "kernels", .title = "Kernels"};
  table.columns = {{"name", "Name"},
                   {"total_time", "Total", table::Quantity::time_ns},
                   {"count", "Count", table::Quantity::count}};
  table.rows.push_back(
      {std::string("void gemm<float, 128>(Params)"), std::int64_t{5'400'000}, std::int64_t{40}});
  table.rows.push_back({std::string("relu & friends"), std::int64_t{1'200'000}, std::int64_t{80}});
  return table;
}

void multiply(stats::Number& rate, double factor) {
  rate.value = *rate.value * factor;
  rate.lower = *rate.lower * factor;
  rate.upper = *rate.upper * factor;
}

void multiply_gain(stats::Number& gain, double factor) {
  gain.value = (1 + *gain.value) * factor - 1;
  gain.lower = (1 + *gain.lower) * factor - 1;
  gain.upper = (1 + *gain.upper) * factor - 1;
}

// The best setting with another number of workers.
void add_workers(campaign::CampaignResult& result, std::int64_t workers, double factor) {
  const std::string best = result.confirmation->cell;
  for (std::size_t i = 0; i < result.cells.size(); ++i) {
    if (result.cells[i].cell.id != best) {
      continue;
    }
    campaign::CellResult cell = result.cells[i];
    cell.cell.id = "w" + std::to_string(workers);
    cell.cell.knobs["num_workers"] = workers;
    cell.cell.changed["num_workers"] = workers;
    multiply(*cell.throughput, factor);
    multiply_gain(*cell.gain, factor);
    result.cells.push_back(std::move(cell));
    return;
  }
}

std::vector<rule::RuleFile> rule_files() {
  const std::string title = "Feed the training faster";
  return {{"rules/wait.yaml",
           rule::short_rule("wait",
                            "mutes: [quiet-one]\n"
                            "links: [\"https://docs.pytorch.org/docs/stable/data.html\"]\n")},
          {"rules/small-batch.yaml", rule::short_rule("small-batch", "conflicts: [layout]\n")},
          {"rules/layout.yaml", rule::short_rule("layout")},
          {"rules/quiet-one.yaml", rule::short_rule("quiet-one")},
          advice::changed_rule("hostile", title, "'Use <b>2</b> \"workers\" & more'")};
}

void set_measured(advice::Diagnosis& diagnosis) {
  for (Recommendation& each : diagnosis.recommendations) {
    const std::string& id = each.rule->id;
    if (id == "wait") {
      each.knobs = {{.name = "num_workers", .from = "0", .to = std::int64_t{2}}};
      each.environment = {"OMP_NUM_THREADS=2",
                          "MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=1073741824"};
      each.measured = measured(0.22, Verdict::confirmed);
    } else if (id == "small-batch") {
      each.knobs = {{.name = "batch_size", .from = "32", .reason = "no <memory> is known"}};
      each.measured = measured(0.01, Verdict::ambiguous);
    } else if (id == "layout") {
      each.measured = measured(-0.03, Verdict::refuted);
    } else {
      each.unmeasured = "no setting of this grid has it: tune verify hostile";
    }
  }
  advice::rank(diagnosis.recommendations, {});
}

// Five runs, the last of them this one, and two gates before it.
history::Series sample_history() {
  history::Series series;
  series.scenario = "resnet18";
  series.machine = "2 CPUs Some CPU";
  series.metric = "throughput";
  series.unit = "samples/s";
  for (const double value : {57.1, 57.9, 56.8, 58.0, 58.3}) {
    history::Point point;
    point.kind = "run";
    point.id = static_cast<std::int64_t>(series.points.size()) + 31;
    point.started_utc = "2026-02-2" + std::to_string(series.points.size()) + "T09:00:00Z";
    point.value = value;
    series.points.push_back(point);
  }
  series.points.back().id = 0;
  series.gates = {{.id = 34,
                   .started_utc = "2026-02-23T10:00:00Z",
                   .verdict = "INCONCLUSIVE",
                   .reason = "ENV_SHIFT: the machine itself differed between the sides",
                   .candidate = "HEAD <b> at 0123456789ab",
                   .changes = {{"throughput", -0.012}, {"epoch_time", 0.013}}},
                  {.id = 30,
                   .started_utc = "2026-02-19T10:00:00Z",
                   .verdict = "PASS",
                   .reason = "",
                   .candidate = "amp=bf16",
                   .changes = {}}};
  return series;
}

}  // namespace

void add_diagnosis(campaign::CampaignResult& result) {
  const auto catalog = std::make_shared<const rule::Catalog>(rule::read_catalog(rule_files()));
  campaign::RunDiagnosis found;
  found.catalog = catalog;
  found.diagnosis = advice::diagnose(*catalog, advice::waiting(0.286));
  found.trial = "confirm6-baseline";
  set_measured(found.diagnosis);
  result.diagnosis = std::move(found);
}

campaign::CampaignResult diagnosed_result() {
  campaign::CampaignResult result = sample_result();
  add_diagnosis(result);
  add_ladder(result);
  result.history = sample_history();
  result.noise = campaign::KnownNoise{.utc = "2026-02-01T08:00:00Z",
                                      .launches = 40,
                                      .pair_ratio = 0.012,
                                      .detectable_ratio = 0.025,
                                      .verdicts = 2,
                                      .alarms = 0,
                                      .most_alarms_ratio = 0.776};
  add_workers(result, 1, 0.71);
  add_workers(result, 4, 1.002);
  result.cells.at(4).broken_constraints = {"peak_memory_ratio 0.93 is above 0.9"};
  for (campaign::ProfiledCell& cell : result.profiles) {
    cell.trace->tables.push_back(kernels());
    cell.trace->tables.push_back(memory_timeline());
  }
  return result;
}

}  // namespace tune::report
