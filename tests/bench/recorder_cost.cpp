// The cost of recording per operator: the smallest operator, called in a loop, without a profiler,
// with ours and with torch's own. Each way is measured in separate processes, in turn, and the best
// of many loops counts.
//
//   recorder_cost [rounds]     all ways, then the table
//   recorder_cost --way NAME one process: ns per operator

#include "base/clock.h"
#include "base/stats/quantile.h"
#include "own_process.h"
#include "torch_profiler.h"
#include "worker/recorder/operator_rows.h"
#include "worker/recorder/recording.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

namespace tune::bench {

namespace {

constexpr int kCalls = 20'000;
constexpr int kLoops = 25;
const std::vector<std::string> kWays = {
    "none", "idle", "global-disabled", "recorder", "recorder-shapes", "torch", "torch-shapes"};

double loop_ns(at::Tensor& number) {
  const std::int64_t start_ns = monotonic_ns();
  for (int i = 0; i < kCalls; ++i) {
    number.add_(1);
  }
  return static_cast<double>(monotonic_ns() - start_ns) / kCalls;
}

double with_recorder(at::Tensor& number, bool shapes) {
  worker::Recording::Options options;
  options.shapes = shapes;
  worker::Recording recording(options);
  trial::Profile profile;
  profile.record_shapes = shapes;
  profile.profile_memory = false;
  recording.start();
  const worker::OperatorRows operators(profile);
  double best = 1e9;
  for (int i = 0; i < kLoops; ++i) {
    worker::ThreadLog* const log = recording.log_of_this_thread();
    const worker::ThreadLog::Mark mark = log->mark();
    best = std::min(best, loop_ns(number));
    log->rewind(mark);  // the first loop has prepared its memory, as warm-up steps do
  }
  if (recording.lost_events() != 0) {
    std::fprintf(stderr, "events were lost\n");
    std::exit(1);
  }
  return best;
}

double with_torch(at::Tensor& number, TorchProfiler::Inputs inputs) {
  double best = 1e9;
  for (int i = 0; i < kLoops; ++i) {
    const TorchProfiler profiler(inputs);
    best = std::min(best, loop_ns(number));
  }
  return best;
}

double best_loop(at::Tensor& number) {
  double best = 1e9;
  for (int i = 0; i < kLoops; ++i) {
    best = std::min(best, loop_ns(number));
  }
  return best;
}

double measure(const std::string& way) {
  at::set_num_threads(1);
  const at::NoGradGuard no_grad;
  at::Tensor number = at::zeros({1});
  loop_ns(number);
  if (way == "recorder" || way == "recorder-shapes") {
    return with_recorder(number, way == "recorder-shapes");
  }
  if (way == "torch" || way == "torch-shapes") {
    return with_torch(
        number, way == "torch" ? TorchProfiler::Inputs::ignored : TorchProfiler::Inputs::recorded);
  }
  if (way == "global-disabled") {
    at::disableCallback(at::addGlobalCallback(at::RecordFunctionCallback(
        [](const at::RecordFunction&) { return std::unique_ptr<at::ObserverContext>(); })));
    return best_loop(number);
  }
  if (way == "idle") {  // as in a trial that will be recorded later
    const worker::Recording recording({});
    return best_loop(number);
  }
  return best_loop(number);
}

void compare(int rounds) {
  std::map<std::string, std::vector<double>> found;
  for (int round = 0; round < rounds; ++round) {
    for (const std::string& way : kWays) {
      found[way].push_back(number_of_own_process("--way " + way + " 2>/dev/null"));
    }
  }
  const double none = stats::median(found["none"]);
  std::printf("%-16s %8s %8s\n", "way", "ns/op", "added");
  for (const std::string& way : kWays) {
    std::printf("%-16s %8.1f %8.1f\n",
                way.c_str(),
                stats::median(found[way]),
                stats::median(found[way]) - none);
  }
  for (const std::string shapes : {"", "-shapes"}) {
    std::printf("recorder%s / torch%s: %.2f\n",
                shapes.c_str(),
                shapes.c_str(),
                (stats::median(found["recorder" + shapes]) - none) /
                    (stats::median(found["torch" + shapes]) - none));
  }
}

}  // namespace

}  // namespace tune::bench

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--way") {
    std::printf("%.3f\n", tune::bench::measure(argv[2]));
    (void)std::fflush(nullptr);
    _exit(0);  // as the worker does
  }
  tune::bench::compare(argc == 2 ? std::max(1, std::atoi(argv[1])) : 7);
  return 0;
}
