// How much longer steps last while they are recorded: runs of the real worker whose trials record
// steps after their measured window, ResNet-18 and a small MLP by turns, without shapes.
//
//   recording_dilation [runs]
//
// Exit code 0: both medians are within their aims; 1: one is beyond.

#include "runner/run_trial.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace tune::bench {

namespace {

namespace fs = std::filesystem;

struct Step {
  const char *model, *words;
  std::int64_t image_size, batch_size, recorded_steps;
  double aim;  // the most that recording may stretch it
};

// Few large operators, and nothing but small ones. The aims are those of the profiler page of the
// design, which measured 1.02 and 1.30.
constexpr std::array<Step, 2> kSteps = {
    {{"resnet18", "ResNet-18, batches of 8 at 64 pixels", 64, 8, 20, 1.02},
     {"mlp", "MLP of 8 layers, batches of 8 at 16 pixels", 16, 8, 300, 1.30}}};

trial::TrialSpec spec_of(const Step& step, const fs::path& folder) {
  trial::TrialSpec spec;
  spec.id = "t";
  spec.cell = "c01";
  spec.workload.model = step.model;
  spec.workload.device = "cpu";
  spec.workload.image_size = step.image_size;
  spec.workload.classes = 10;
  spec.data.samples = 64;
  spec.knobs = trial::default_settings();
  spec.knobs["batch_size"] = step.batch_size;
  spec.knobs["intra_op_threads"] = std::int64_t{1};
  spec.measure = {.warmup_steps = 10,
                  .warmup_ns = 1'000'000'000,
                  .slices = 3,
                  .slice_ns = 1'000'000'000,
                  .slice_steps = 2};
  spec.profile.emplace();
  spec.profile->active = step.recorded_steps;
  spec.folder = (folder / spec.id).string();
  return spec;
}

double dilation_of(const Step& step) {
  const fs::path folder = fs::temp_directory_path() / ("dilation." + std::to_string(getpid()));
  runner::RunOptions options;
  options.worker = WORKER_PROGRAM;
  const runner::TrialOutcome outcome = runner::run_trial(spec_of(step, folder), options);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  const auto ratio = outcome.reply ? trial::profiler_dilation(*outcome.reply) : std::nullopt;
  if (!ratio) {
    (void)std::fprintf(stderr, "a trial recorded nothing: %s\n", outcome.reason.c_str());
    std::exit(1);
  }
  return *ratio;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int measure(int runs) {
  std::array<std::vector<double>, kSteps.size()> ratios;
  for (int run = 0; run < runs; ++run) {
    for (std::size_t i = 0; i < kSteps.size(); ++i) {
      ratios[i].push_back(dilation_of(kSteps[i]));
    }
  }
  bool are_within = true;
  std::printf("%-46s %8s %8s %8s %6s\n", "step", "median", "least", "most", "aim");
  for (std::size_t i = 0; i < kSteps.size(); ++i) {
    const auto [least, most] = std::minmax_element(ratios[i].begin(), ratios[i].end());
    const double middle = median(ratios[i]);
    are_within = are_within && middle <= kSteps[i].aim;
    std::printf("%-46s %8.3f %8.3f %8.3f %6.2f%s\n",
                kSteps[i].words,
                middle,
                *least,
                *most,
                kSteps[i].aim,
                middle <= kSteps[i].aim ? "" : "  beyond");
  }
  std::printf("%d runs each, by turns\n", runs);
  return are_within ? 0 : 1;
}

}  // namespace

}  // namespace tune::bench

int main(int argc, char** argv) {
  return tune::bench::measure(argc == 2 ? std::max(1, std::atoi(argv[1])) : 9);
}
