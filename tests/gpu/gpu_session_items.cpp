// Items about the clock of records, and about more than one session.

#include "base/clock.h"
#include "gpu_item.h"
#include "worker/cuda/cupti_api.h"
#include "worker/cuda/cupti_session.h"

#include <cupti.h>

#include <cstdint>
#include <string>

namespace tune::gpu_items {

namespace {

Answer clock_of(Call& call, bool own_clock) {
  Answer answer;
  const Recorded recorded =
      record(call.plugin, launch_bound_step(), kSteps, {.own_clock = own_clock});
  answer.put("clock", recorded.result.clock);
  const auto least = recorded.result.check.least_delay_ns;
  answer.put("least_delay_ns", least ? static_cast<double>(*least) : 0);
  answer.expect(recorded.result.clock == (own_clock ? "monotonic" : "realtime"), "the clock");
  answer.expect(least && *least >= -5'000, "no kernel starts more than 5 us before its launch");
  return answer;
}

Answer own_clock(Call& call) {
  return clock_of(call, true);
}

Answer default_clock(Call& call) {
  return clock_of(call, false);
}

Answer clocks(Call& /*call*/) {
  return answers_of({"own-clock", "default-clock"});
}

std::uint64_t monotonic_clock() {
  return static_cast<std::uint64_t>(monotonic_ns());
}

// A session registers its clock once. Whether a second registration would spoil the times depends
// on CUPTI: 130001 on an H200 accepts it, and the times stay right.
Answer clock_twice(Call& call) {
  Answer answer;
  const CUptiResult first = cuptiActivityRegisterTimestampCallback(monotonic_clock);
  const CUptiResult second = cuptiActivityRegisterTimestampCallback(monotonic_clock);
  const Recorded recorded = record(call.plugin, launch_bound_step(), kSteps);
  answer.put("first", static_cast<double>(first));
  answer.put("second", static_cast<double>(second));
  answer.put("clock", recorded.result.clock);
  answer.put("problems", problems_of(recorded));
  put_kernels(answer, recorded.result.trace);
  answer.expect(!recorded.result.trace.kernels.empty(), "there are kernels");
  return answer;
}

// A second session behind the back of the plug-in, which refuses one; a captured graph ran before.
// It registers the clock again: CUPTI keeps that of the first, so that records read by another
// clock would all lie outside of the steps.
Answer second_session(Call& call) {
  Answer answer;
  Replayed graph;
  const Recorded first = record(
      call.plugin, [&] { graph.replay(); }, kSteps);
  answer.put("first_problems", problems_of(first));
  put_kernels(answer, first.result.trace);
  worker::CuptiSession second(worker::linked_cupti(), wait_for_device);
  const Recorded again = record(
      second, [&] { graph.replay(); }, kSteps);
  const auto kernels = static_cast<double>(again.result.trace.kernels.size());
  const auto lost = static_cast<double>(again.result.check.kernels_without_launch);
  answer.put("second", again.why ? again.why->kind : "started");
  answer.put("second_kernels", kernels);
  answer.put("second_kernels_without_launch", lost);
  answer.put("second_problems", problems_of(again));
  answer.expect(problems_of(first).empty(), "the first one is complete");
  answer.expect(again.why || kernels == 0 || lost > 0,
                "the second one loses what launched kernels");
  return answer;
}

Answer two_sessions(Call& call) {
  Answer answer;
  const auto step = launch_bound_step();
  const Recorded first = record(call.plugin, step, kSteps);
  put_kernels(answer, first.result.trace);
  const Recorded second = record(call.plugin, step, kSteps);
  answer.put("second", second.why ? second.why->kind : "started");
  answer.expect(!first.why, "the first one starts");
  answer.expect(second.why.has_value(), "the second one is refused");
  const std::string found = answer_of("second-session");
  answer.put_json("second-session", found.starts_with('{') ? found : "null");
  answer.expect(has_passed(found), "second-session");
  return answer;
}

}  // namespace

Items session_items() {
  return {{"own-clock", own_clock},
          {"default-clock", default_clock},
          {"clocks", clocks},
          {"clock-twice", clock_twice},
          {"second-session", second_session},
          {"two-sessions", two_sessions}};
}

}  // namespace tune::gpu_items
