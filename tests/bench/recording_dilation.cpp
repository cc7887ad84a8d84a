// How much longer recorded steps are: the worker's own training step, ResNet-18 and a small MLP, in
// blocks alternately with and without the recorder, so that other load affects both alike. Each run
// is a separate process.
//
//   recording_dilation [runs]                  all, then the table
//   recording_dilation --step MODEL WAY        one process: the ratio
//
// Exit code 0: the medians with operators only are within their aims; 1: one is beyond.

#include "base/stats/quantile.h"
#include "own_process.h"
#include "step_blocks.h"
#include "worker/recorder/operator_rows.h"
#include "worker/recorder/recording.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace tune::bench {

namespace {

struct Step {
  std::string_view model, words;
  std::int64_t image_size, batch_size;
  int block, pairs;  // steps of a block, blocks of each kind
  double aim;        // upper limit for the slowdown by recording
};

// A few large operators, and only small ones. The aims are those of the profiler page of the
// design, which measured 1.02 and 1.30 with operators only.
constexpr std::array<Step, 2> kSteps = {
    {{"resnet18", "ResNet-18, batches of 8 at 64 pixels", 64, 8, 4, 15, 1.02},
     {"mlp", "MLP of 8 layers, batches of 8 at 16 pixels", 16, 8, 300, 15, 1.30}}};
// The first is the base price of LibTorch: a callback that does nothing.
constexpr std::array<std::string_view, 4> kWays = {
    "nothing", "operators", "and-memory", "and-shapes"};
constexpr std::size_t kJudged = 1;

class EmptyCallback {
 public:
  EmptyCallback()
      : handle_(at::addThreadLocalCallback(at::RecordFunctionCallback(
            [](const at::RecordFunction&) { return std::unique_ptr<at::ObserverContext>(); },
            [](const at::RecordFunction&, at::ObserverContext*) {}))) {}
  ~EmptyCallback() { at::removeCallback(handle_); }
  EmptyCallback(const EmptyCallback&) = delete;
  EmptyCallback& operator=(const EmptyCallback&) = delete;

 private:
  at::CallbackHandle handle_;
};

double listened_block_ns(StepBlocks& training, int steps) {
  const EmptyCallback callback;
  return training.block_ns(steps);
}

double recorded_block_ns(StepBlocks& training,
                         worker::Recording& recording,
                         const trial::Profile& profile,
                         int steps) {
  recording.start();
  double found = 0;
  {
    const worker::OperatorRows operators(profile);
    worker::ThreadLog* const log = recording.log_of_this_thread();
    const worker::ThreadLog::Mark mark = log->mark();
    found = training.block_ns(steps);
    log->rewind(mark);
  }
  recording.stop();
  return found;
}

double dilation_of(const Step& step, std::string_view way) {
  trial::Profile profile;
  profile.profile_memory = way == "and-memory" || way == "and-shapes";
  profile.record_shapes = way == "and-shapes";
  worker::Recording::Options options;
  options.shapes = profile.record_shapes;
  worker::Recording recording(options);
  StepBlocks training(std::string(step.model), step.image_size, step.batch_size);
  const auto stretched_block_ns = [&] {
    return way == "nothing" ? listened_block_ns(training, step.block)
                            : recorded_block_ns(training, recording, profile, step.block);
  };
  training.block_ns(step.block);  // both warm up: the recorder's memory is allocated
  stretched_block_ns();
  std::vector<double> ratios;
  for (int pair = 0; pair < step.pairs; ++pair) {
    double recorded = 0, plain = 0;
    if (pair % 2 == 0) {
      plain = training.block_ns(step.block);
      recorded = stretched_block_ns();
    } else {
      recorded = stretched_block_ns();
      plain = training.block_ns(step.block);
    }
    ratios.push_back(recorded / plain);
  }
  if (recording.lost_events() != 0 || recording.lost_inputs() != 0) {
    (void)std::fprintf(stderr, "events were lost\n");
    std::exit(1);
  }
  return stats::median(ratios);
}

double dilation_in_a_process(const Step& step, std::string_view way) {
  return number_of_own_process("--step " + std::string(step.model) + " " + std::string(way));
}

int measure(int runs) {
  std::array<std::array<std::vector<double>, kWays.size()>, kSteps.size()> ratios;
  for (int run = 0; run < runs; ++run) {
    for (std::size_t i = 0; i < kSteps.size(); ++i) {
      for (std::size_t way = 0; way < kWays.size(); ++way) {
        ratios[i][way].push_back(dilation_in_a_process(kSteps[i], kWays[way]));
      }
    }
  }
  bool are_within = true;
  std::printf(
      "%-44s %-11s %7s %7s %7s %5s\n", "step", "recorded", "median", "least", "most", "aim");
  for (std::size_t i = 0; i < kSteps.size(); ++i) {
    for (std::size_t way = 0; way < kWays.size(); ++way) {
      const auto [least, most] = std::minmax_element(ratios[i][way].begin(), ratios[i][way].end());
      const double middle = stats::median(ratios[i][way]);
      std::printf("%-44s %-11s %7.3f %7.3f %7.3f",
                  way == 0 ? kSteps[i].words.data() : "",
                  kWays[way].data(),
                  middle,
                  *least,
                  *most);
      const bool is_judged = way == kJudged, is_beyond = is_judged && middle > kSteps[i].aim;
      are_within = are_within && !is_beyond;
      is_judged ? std::printf(" %5.2f%s\n", kSteps[i].aim, is_beyond ? "  beyond" : "")
                : std::printf("\n");
    }
  }
  std::printf("%d processes each, alternating\n", runs);
  return are_within ? 0 : 1;
}

int measure_one(std::string_view model, std::string_view way) {
  const auto* const step = std::find_if(
      kSteps.begin(), kSteps.end(), [&](const Step& known) { return known.model == model; });
  if (step == kSteps.end() || std::find(kWays.begin(), kWays.end(), way) == kWays.end()) {
    (void)std::fprintf(stderr, "no such step or way\n");
    return 2;
  }
  std::printf("%.5f\n", dilation_of(*step, way));
  (void)std::fflush(nullptr);
  _exit(0);  // as the worker does
}

}  // namespace

}  // namespace tune::bench

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--step") {
    return tune::bench::measure_one(argv[2], argv[3]);
  }
  return tune::bench::measure(argc == 2 ? std::max(1, std::atoi(argv[1])) : 5);
}
