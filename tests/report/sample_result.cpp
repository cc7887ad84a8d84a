#include "sample_result.h"

#include "campaign/estimate.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using campaign::TrialRecord;
using trial::KnobSettings;

constexpr std::int64_t kRounds = 3, kPairs = 6, kSlices = 5;
constexpr std::int64_t kGiB = 1 << 30;

constexpr const char* kScenarioText =
    R"(# yaml-language-server: $schema=../reports/schema/scenario.schema.json
tune: 1
name: resnet18
description: ResNet-18 on JPEG files; is the loader or the model the limit?
workload: {model: resnet18, task: train, image_size: 112, classes: 10, optimizer: sgd}
data: {source: generated-jpeg, samples: 2000, profile: imagenet}
baseline: {num_workers: 0, batch_size: 32, amp: none, channels_last: false}
grid:
  num_workers: [0, 2]
  pin_memory: [false, true]
  batch_size: [32, 64, 256]
  amp: [none, bf16, fp16]
  cudnn_benchmark: [false, true]
  channels_last: [false, true]
forbid: ["amp == 'fp16' and device == 'cpu'"]
measure: {warmup: auto, slices: 5, rounds: 3, trial_timeout: 120s}
search: {strategy: grid, budget: 15m, confirm: 6}
)";

// From -1 to 1, the same on every machine.
double noise(std::uint64_t key) {
  key += 0x9E3779B97F4A7C15ULL;
  key = (key ^ key >> 30U) * 0xBF58476D1CE4E5B9ULL;
  key = (key ^ key >> 27U) * 0x94D049BB133111EBULL;
  key ^= key >> 31U;
  return static_cast<double>(key >> 11U) / 4503599627370496.0 - 1;
}

std::int64_t integer_of(const KnobSettings& knobs, const char* name) {
  return std::get<std::int64_t>(knobs.at(name));
}

bool is_set(const KnobSettings& knobs, const char* name) {
  return std::get<bool>(knobs.at(name));
}

bool is_bf16(const KnobSettings& knobs) {
  return std::get<std::string>(knobs.at("amp")) == "bf16";
}

// Parts of one sample: data_wait, transfer, forward, backward, optimizer, other.
std::array<double, 6> milliseconds(const KnobSettings& knobs) {
  const bool loaders = integer_of(knobs, "num_workers") > 0;
  const auto batch = static_cast<double>(integer_of(knobs, "batch_size"));
  const double layout = is_set(knobs, "channels_last") ? (is_bf16(knobs) ? 0.8 : 0.93) : 1;
  const double compute =
      (is_bf16(knobs) ? 0.52 : 1) * layout * (loaders ? 1.12 : 1) * (0.97 + 0.96 / batch);
  return {loaders ? 0.35 : 4.9, 0.35, 4.15 * compute, 7.3 * compute, 12.8 / batch, 0.05};
}

trial::Slice make_slice(const KnobSettings& knobs, double factor, std::int64_t start_ns) {
  trial::Slice slice{.start_ns = start_ns};
  const std::int64_t batch = integer_of(knobs, "batch_size");
  const auto parts = milliseconds(knobs);
  double total = 0;
  for (const double part : parts) {
    total += part;
  }
  const double step_ms = total * static_cast<double>(batch);
  slice.steps = std::max<std::int64_t>(2, static_cast<std::int64_t>(std::ceil(1000 / step_ms)));
  slice.samples = slice.steps * batch;
  const auto ns = [&](double part) {
    return std::llround(part * static_cast<double>(slice.samples) * factor * 1e6);
  };
  slice.phases = {
      ns(parts[0]), ns(parts[1]), ns(parts[2]), ns(parts[3]), ns(parts[4]), ns(parts[5])};
  slice.wall_ns = slice.phases.total_ns();
  return slice;
}

trial::TrialReply make_reply(const TrialRecord& trial, std::uint64_t key) {
  trial::TrialReply reply{.id = trial.spec.id};
  reply.facts = {.torch_version = "2.11.0",
                 .cpu_capability = "AVX512",
                 .jpeg_version = "2.1.5",
                 .intra_op_threads = 2,
                 .cpus = {0, 1},
                 .bf16_supported = true};
  const double process = 1 + 0.008 * noise(key);
  std::int64_t now_ns = 3'000'000'000;
  for (std::int64_t i = 0; i < kSlices; ++i) {
    const double factor = process * (1 + 0.004 * noise(key * 31 + static_cast<std::uint64_t>(i)));
    reply.slices.push_back(make_slice(trial.spec.knobs, factor, now_ns));
    now_ns += reply.slices.back().wall_ns;
  }
  reply.peak_memory_bytes = kGiB / 2 + integer_of(trial.spec.knobs, "batch_size") * 6'200'000 +
                            integer_of(trial.spec.knobs, "num_workers") * 41'000'000;
  for (const trial::Slice& slice : reply.slices) {
    reply.loader.samples += slice.samples;
  }
  reply.parameters = 11'181'642;
  return reply;
}

std::vector<scenario::Cell> make_cells(const KnobSettings& baseline) {
  std::vector<scenario::Cell> cells = {{.id = "baseline", .knobs = baseline}};
  for (const std::int64_t workers : {0, 2}) {
    for (const std::int64_t batch : {32, 64, 256}) {
      for (const char* amp : {"none", "bf16"}) {
        for (const bool channels_last : {false, true}) {
          scenario::Cell cell{.knobs = baseline};
          cell.knobs["num_workers"] = workers;
          cell.knobs["batch_size"] = batch;
          cell.knobs["amp"] = std::string(amp);
          cell.knobs["channels_last"] = channels_last;
          for (const auto& [name, value] : cell.knobs) {
            if (value != baseline.at(name)) {
              cell.changed.emplace(name, value);
            }
          }
          if (!cell.changed.empty()) {
            const auto number = std::to_string(cells.size());
            cell.id = (number.size() < 2 ? "c0" : "c") + number;
            cells.push_back(std::move(cell));
          }
        }
      }
    }
  }
  return cells;
}

runner::TrialOutcome fail(runner::OutcomeKind kind, std::string reason, std::string stderr_tail) {
  runner::TrialOutcome outcome{.kind = kind, .reason = std::move(reason), .phase = "warmup"};
  outcome.stderr_tail = std::move(stderr_tail);
  return outcome;
}

TrialRecord make_trial(const CampaignResult& result,
                       const scenario::Cell& cell,
                       const std::string& stage,
                       std::int64_t round) {
  TrialRecord trial{.stage = stage, .round = round};
  trial.position = static_cast<std::int64_t>(result.trials.size());
  trial.spec.id = (stage == "search" ? "r" : "confirm") + std::to_string(round) + "-" + cell.id;
  trial.spec.cell = cell.id;
  trial.spec.knobs = cell.knobs;
  trial.spec.data = result.data;
  std::uint64_t key = stage == "search" ? 7 : 1007;
  for (const char c : trial.spec.id) {
    key = key * 131 + static_cast<unsigned char>(c);
  }
  if (cell.id == "c11") {
    trial.outcome = fail(runner::OutcomeKind::out_of_memory,
                         "out of memory: std::bad_alloc in phase warmup",
                         "tune-worker: c11: 1234567890 bytes for conv1\n"
                         "terminate called after throwing an instance of 'std::bad_alloc'\n");
  } else if (cell.id == "c21") {
    trial.outcome = fail(runner::OutcomeKind::crashed,
                         "SIGSEGV in phase warmup",
                         "could not create a primitive descriptor <bf16:nhwc>\n");
  } else {
    trial.outcome.kind = runner::OutcomeKind::completed;
    trial.outcome.reply = make_reply(trial, key);
  }
  trial.outcome.start_ns = 1'000'000'000 + trial.position * 9'000'000'000;
  trial.outcome.end_ns =
      trial.outcome.start_ns + (trial.outcome.reply ? 8'730'000'000 : 2'110'000'000);
  return trial;
}

using Rates = std::map<std::string, std::map<std::int64_t, double>>;

Rates rates_of(const CampaignResult& result, const std::string& stage) {
  Rates rates;
  for (const TrialRecord& trial : result.trials) {
    if (trial.stage == stage && trial.outcome.reply) {
      std::int64_t samples = 0, wall_ns = 0;
      for (const trial::Slice& slice : trial.outcome.reply->slices) {
        samples += slice.samples;
        wall_ns += slice.wall_ns;
      }
      rates[trial.spec.cell][trial.round] =
          static_cast<double>(samples) * 1e9 / static_cast<double>(wall_ns);
    }
  }
  return rates;
}

std::vector<double> values(const std::map<std::int64_t, double>& rates) {
  std::vector<double> list;
  for (const auto& [round, rate] : rates) {
    list.push_back(rate);
  }
  return list;
}

std::vector<double> log_gains(const std::map<std::int64_t, double>& rates,
                              const std::map<std::int64_t, double>& baseline) {
  std::vector<double> gains;
  for (const auto& [round, rate] : rates) {
    gains.push_back(std::log(rate / baseline.at(round)));
  }
  return gains;
}

void add_measurements(const CampaignResult& result, CellResult& cell) {
  for (const TrialRecord& trial : result.trials) {
    if (trial.spec.cell != cell.cell.id || !trial.outcome.reply || trial.stage != "search") {
      continue;
    }
    cell.peak_memory_bytes =
        std::max(cell.peak_memory_bytes.value_or(0), trial.outcome.reply->peak_memory_bytes);
    trial::PhaseSums sums = cell.phases.value_or(trial::PhaseSums{});
    for (const trial::Slice& slice : trial.outcome.reply->slices) {
      sums += slice.phases;
    }
    cell.phases = sums;
  }
}

void summarise_search(CampaignResult& result) {
  const Rates rates = rates_of(result, "search");
  for (const scenario::Cell& planned : result.plan.cells) {
    CellResult cell{.cell = planned, .outcome = "completed"};
    const auto own = rates.find(planned.id);
    if (own == rates.end()) {
      const auto trial =
          std::find_if(result.trials.begin(), result.trials.end(), [&](const TrialRecord& each) {
            return each.spec.cell == planned.id;
          });
      cell.outcome = trial == result.trials.end() ? "not-run" : runner::name(trial->outcome.kind);
      cell.reason = trial == result.trials.end() ? "the run was cut off" : trial->outcome.reason;
    } else {
      cell.rounds = static_cast<std::int64_t>(own->second.size());
      cell.throughput = campaign::estimate(values(own->second));
      if (planned.id != "baseline") {
        cell.gain = campaign::estimate_gain(log_gains(own->second, rates.at("baseline")));
      }
      add_measurements(result, cell);
    }
    result.cells.push_back(std::move(cell));
  }
  const auto rank = [](const CellResult& cell) {
    return cell.cell.id == "baseline" ? 1e9 : cell.gain ? cell.gain->value : -1e9;
  };
  std::stable_sort(result.cells.begin(),
                   result.cells.end(),
                   [&](const CellResult& a, const CellResult& b) { return rank(a) > rank(b); });
  result.trials_failed =
      std::count_if(result.trials.begin(), result.trials.end(), [](const TrialRecord& trial) {
        return trial.outcome.kind != runner::OutcomeKind::completed;
      });
}

void run_search(CampaignResult& result) {
  for (std::int64_t round = 1; round <= kRounds; ++round) {
    for (const scenario::Cell& cell : result.plan.cells) {
      const bool gave_up = round > 1 && (cell.id == "c11" || cell.id == "c21");
      if (!gave_up) {
        result.trials.push_back(make_trial(result, cell, "search", round));
      }
    }
  }
  summarise_search(result);
}

void confirm(CampaignResult& result) {
  const scenario::Cell best = result.cells.at(1).cell;
  const scenario::Cell baseline = result.cells.at(0).cell;
  for (std::int64_t round = 1; round <= kPairs; ++round) {
    result.trials.push_back(make_trial(result, baseline, "confirm", round));
    result.trials.push_back(make_trial(result, best, "confirm", round));
  }
  const Rates rates = rates_of(result, "confirm");
  result.confirmation = campaign::Confirmation{
      .cell = best.id,
      .pairs = kPairs,
      .wanted = kPairs,
      .baseline = campaign::estimate(values(rates.at("baseline"))),
      .best = campaign::estimate(values(rates.at(best.id))),
      .gain = campaign::estimate_gain(log_gains(rates.at(best.id), rates.at("baseline"))),
      .verdict = "confirmed",
      .search_gain = 1.9,
      .slices_clean = 30,
      .baseline_slices_clean = 29,
      .baseline_slices_tainted = 1,
      .position_effect = 0.001,
      .loss_parity = "not compared: amp may change the numbers"};
  campaign::Confirmation& row = *result.confirmation;
  row.looks.push_back({.pairs = kPairs,
                       .alpha = 0.025,
                       .alpha_total = 0.025,
                       .lower = *row.gain.lower,
                       .value = row.gain.value,
                       .upper = *row.gain.upper,
                       .p = 0.015625,
                       .verdict = "confirmed"});
  result.confirmations = {row};
  result.warmup = campaign::WarmupFound{
      .steps = 12, .text = "steady after 12 steps (1.4s) of 64 of the baseline"};
  result.search_ended = "every cell was measured in 3 rounds";
}

machine::MachineFacts sample_machine() {
  return {.cpu_model = "Intel(R) Xeon(R) Processor",
          .cpu_flags = {"avx2", "avx512f", "avx512_bf16", "amx_tile", "amx_bf16"},
          .cpus = 2,
          .logical_cpus = 2,
          .physical_cores = 1,
          .memory_bytes = 24 * kGiB,
          .memory_limit_bytes = 16 * kGiB,
          .transparent_huge_pages = "madvise",
          .load1 = 0.14,
          .kernel = "6.1.0-18-amd64",
          .distribution = "Debian GNU/Linux 12 (bookworm)"};
}

}  // namespace

campaign::CampaignResult empty_result() {
  CampaignResult result;
  result.directory = "tune-runs/resnet18-20260302T101500Z";
  result.scenario.name = "resnet18";
  result.scenario.description = "ResNet-18 on JPEG files; is the loader or the model the limit?";
  result.scenario.file = "scenarios/resnet18.yaml";
  result.scenario.text = kScenarioText;
  result.scenario.sha256 = "3f1c0f6c8d3f4f5a8a4d2b9c7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f";
  result.scenario.seed = result.seed = 20260302;
  result.scenario.has_seed = true;
  result.scenario.baseline = trial::default_settings();
  result.scenario.baseline["batch_size"] = std::int64_t{32};
  result.plan.cells = make_cells(result.scenario.baseline);
  result.plan.grid_cells = 144;
  result.plan.collapsed = {
      {"pin_memory", "this version measures on the CPU", 48},
      {"cudnn_benchmark", "this version measures on the CPU", 24},
  };
  result.plan.forbidden = {{"amp == 'fp16' and device == 'cpu'", 48}};
  result.data = {.source = "generated-jpeg", .path = "data/imagenet-2000-0", .samples = 2000};
  result.data.profile = "imagenet";
  result.data.manifest_sha256 = "9b74c9897bac770ffc029102a200c5de0b1f3e5d7c9a8b6e4f2d0c1b3a5f7e9d";
  result.machine = sample_machine();
  result.tune_version = "0.1.0";
  result.commit = "b8ede5c0a1b2";
  result.started_utc = "2026-03-02T10:15:00Z";
  result.command = {"./tune", "run", "scenarios/resnet18.yaml"};
  result.worker = "tune-worker";
  result.worker_sha256 = "5d41402abc4b2a76b9719d911017c592f0e1d2c3b4a5968778695a4b3c2d1e0f";
  result.sittings = 1;
  return result;
}

campaign::CampaignResult unconfirmed_result() {
  CampaignResult result = empty_result();
  run_search(result);
  result.elapsed_ns = 598'000'000'000;
  result.complete = false;
  result.incomplete_reason = "budget of 10m00s used up: 12 of 80 trials missing";
  return result;
}

campaign::CampaignResult sample_result() {
  CampaignResult result = empty_result();
  run_search(result);
  confirm(result);
  result.elapsed_ns = 724'000'000'000;
  result.warnings = {"2 of 23 settings failed: c11 out-of-memory, c21 crashed"};
  return result;
}

campaign::CampaignResult all_failed_result() {
  CampaignResult result = empty_result();
  for (const scenario::Cell& cell : result.plan.cells) {
    TrialRecord trial = make_trial(result, cell, "search", 1);
    trial.outcome = fail(runner::OutcomeKind::out_of_memory, "out of memory: std::bad_alloc", "");
    result.trials.push_back(std::move(trial));
  }
  summarise_search(result);
  result.elapsed_ns = 61'000'000'000;
  result.complete = false;
  result.incomplete_reason = "the baseline failed: out of memory: std::bad_alloc";
  return result;
}

campaign::CampaignResult result_with_cells(int count) {
  CampaignResult result = empty_result();
  result.plan.cells.resize(1);
  for (int i = 1; i < count; ++i) {
    scenario::Cell cell = result.plan.cells.front();
    cell.id = "d" + std::to_string(i);
    cell.knobs["prefetch_factor"] = cell.changed["prefetch_factor"] = std::int64_t{2 + i};
    result.plan.cells.push_back(std::move(cell));
  }
  result.plan.grid_cells = count;
  run_search(result);
  return result;
}

campaign::CampaignResult hostile_result() {
  CampaignResult result = sample_result();
  const std::string hostile =
      "<script>alert('1')</script> & \"q\" `b` | row\nnext\x1b[31m \xff\xfe ]]> --> {{body}} _x_ "
      "@all";
  result.scenario.name = result.scenario.description = result.scenario.text = hostile;
  result.scenario.file = result.directory = hostile;
  result.command.push_back(hostile);
  result.machine.cpu_model = result.machine.kernel = result.machine.distribution = hostile;
  result.machine.governor = hostile;
  result.machine.cpu_flags.push_back(hostile);
  result.data.path = hostile;
  result.plan.collapsed.push_back({hostile, hostile, 1});
  result.plan.forbidden.push_back({hostile, 1});
  result.warnings.push_back(hostile);
  result.tune_version = result.commit = result.started_utc = hostile;
  for (CellResult& cell : result.cells) {
    cell.cell.changed["cpu_affinity"] = hostile;
    cell.cell.knobs["cpu_affinity"] = hostile;
    cell.reason += hostile;
  }
  for (TrialRecord& trial : result.trials) {
    trial.outcome.reason += hostile;
    trial.outcome.stderr_tail += hostile;
    if (trial.outcome.reply) {
      trial.outcome.reply->facts.torch_version = hostile;
      trial.outcome.reply->loader.errors = 1;
      trial.outcome.reply->loader.broken = {{hostile, hostile, hostile, 1}};
      trial.outcome.reply->ignored_knobs = {{hostile, hostile}};
    }
  }
  return result;
}

}  // namespace tune::report
