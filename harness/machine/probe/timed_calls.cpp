#include "machine/probe/timed_calls.h"

#include <benchmark/benchmark.h>

namespace tune::probe {

namespace {

// Keeps the numbers and prints nothing.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Iteration && run.iterations > 0) {
        seconds.push_back(run.real_accumulated_time / static_cast<double>(run.iterations));
      }
    }
  }

  std::vector<double> seconds;
};

}  // namespace

std::vector<double> seconds_per_call(const TimedCall& call) {
  auto* const timed = benchmark::RegisterBenchmark("call", [&call](benchmark::State& state) {
    for ([[maybe_unused]] auto iteration : state) {
      call.work();
      benchmark::ClobberMemory();
    }
  });
  timed->Repetitions(call.repetitions)->UseRealTime();
  if (call.least_s > 0) {
    timed->MinTime(call.least_s);
  } else {
    timed->Iterations(1);
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, "call");
  benchmark::ClearRegisteredBenchmarks();
  return std::move(collector.seconds);
}

}  // namespace tune::probe
