#include "metric/launched_kernels.h"

namespace tune::metric {

namespace {

std::vector<std::uint32_t> launch_calls(const TraceInput& input) {
  std::vector<std::uint32_t> calls;
  calls.reserve(input.calls.size());
  for (const std::uint32_t i : input.calls) {
    if (input.kind_of(i) == profile::CallKind::launch && input.begins_in_step(i)) {
      calls.push_back(i);
    }
  }
  return calls;
}

}  // namespace

std::vector<LaunchedKernel> launched_kernels(const TraceInput& input) {
  const std::vector<std::uint32_t> calls = launch_calls(input);
  std::vector<LaunchedKernel> launched;
  launched.reserve(calls.size());
  for (const std::uint32_t call : calls) {
    const std::uint32_t work = input.launches.first_work_of[call];
    if (work != profile::kNone &&
        input.timeline.events[work].category == profile::Category::kernel) {
      launched.push_back({call, work});
    }
  }
  return launched;
}

std::vector<double> launch_call_seconds(const TraceInput& input) {
  const std::vector<std::uint32_t> calls = launch_calls(input);
  std::vector<double> seconds;
  seconds.reserve(calls.size());
  for (const std::uint32_t call : calls) {
    seconds.push_back(static_cast<double>(input.timeline.events[call].duration_ns) * 1e-9);
  }
  return seconds;
}

}  // namespace tune::metric
