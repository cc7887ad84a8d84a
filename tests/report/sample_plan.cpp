#include "sample_result.h"
#include "trial/knob_catalog.h"

#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using trial::KnobSettings;

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
  campaign::CampaignResult result;
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
      {"pin_memory", "the trials run on the CPU", 48},
      {"cudnn_benchmark", "the trials run on the CPU", 24},
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

}  // namespace tune::report
