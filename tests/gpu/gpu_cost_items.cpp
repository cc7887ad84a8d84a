// Items about what recording costs: longer steps, the flush, memory of the device.

#include "base/clock.h"
#include "gpu_item.h"

#include <ATen/record_function.h>
#include <cuda_runtime_api.h>
#include <cupti.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tune::gpu_items {

namespace {

using worker::TraceOptions;

struct Kinds {
  const char* name;
  TraceOptions options;
};

const std::vector<Kinds>& kinds() {
  static const std::vector<Kinds> all = {
      {"all", {}},
      {"all-and-operators", {}},
      {"no-driver-calls", {.driver_calls = false}},
      {"no-synchronization", {.synchronization = false}},
      {"no-overhead", {.overhead = false}},
      {"graph-launches", {.graph_nodes = false}},
      {"least", {.driver_calls = false, .synchronization = false, .overhead = false}}};
  return all;
}

void ignore_callback(void* /*user*/,
                     CUpti_CallbackDomain /*domain*/,
                     CUpti_CallbackId /*callback*/,
                     const void* /*data*/) {}

// CUPTI is attached without any kind of record.
double seconds_while_subscribed(const std::function<void()>& step, int steps, Answer& answer) {
  CUpti_SubscriberHandle subscriber = nullptr;
  answer.expect(cuptiSubscribe(&subscriber, ignore_callback, nullptr) == CUPTI_SUCCESS,
                "CUPTI can be subscribed to");
  (void)seconds_of(step, 1, steps);
  const double seconds = seconds_of(step, 1, steps);
  (void)cuptiUnsubscribe(subscriber);
  return seconds;
}

std::unique_ptr<at::ObserverContext> note_nothing(const at::RecordFunction& /*row*/) {
  return nullptr;
}

std::function<void()> step_named(const std::string& name) {
  return name == "gpu"           ? gpu_bound_step()
         : name == "transformer" ? transformer_step()
                                 : launch_bound_step();
}

// dilation-of <launch|gpu|transformer> <kinds>: one process, one session.
Answer dilation_of(Call& call) {
  Answer answer;
  const auto step = step_named(call.arguments.empty() ? "launch" : call.arguments.front());
  const std::string wanted = call.arguments.size() > 1 ? call.arguments[1] : "all";
  // A step of the transformer takes about 50 ms in float32, the others take 2.
  const int recorded_steps =
      !call.arguments.empty() && call.arguments.front() == "transformer" ? 10 : 30;
  (void)seconds_of(step, 1, recorded_steps);
  const double plain_s = seconds_of(step, 5, recorded_steps);
  if (wanted == "subscribed") {
    answer.put("plain_step_s", plain_s);
    answer.put("dilation", seconds_while_subscribed(step, recorded_steps, answer) / plain_s);
    return answer;
  }
  if (wanted == "all-and-operators") {
    (void)at::addGlobalCallback(at::RecordFunctionCallback(note_nothing));
  }
  for (const Kinds& each : kinds()) {
    if (wanted == each.name) {
      const Recorded recorded = record(call.plugin, step, recorded_steps, each.options);
      answer.put("plain_step_s", plain_s);
      answer.put("dilation", recorded.step_s / plain_s);
      answer.expect(!recorded.why, problems_of(recorded));
      return answer;
    }
  }
  answer.fail("no such kinds");
  return answer;
}

Answer dilation(Call& /*call*/) {
  Answer answer;
  std::vector<std::string> ways = {"subscribed"};
  for (const Kinds& each : kinds()) {
    ways.emplace_back(each.name);
  }
  for (const std::string steps : {"launch", "transformer", "gpu"}) {
    for (const std::string& way : ways) {
      const std::string words = "dilation-of " + steps + " " + way;
      const std::string found = answer_of(words);
      const double ratio = number_in(found, "dilation");
      answer.put(steps + " " + way, ratio);
      answer.expect(has_passed(found), words);
      if (way == "all") {
        answer.expect(ratio <= (steps == "launch" ? 1.5 : 1.02), words + " is within its limit");
      }
    }
  }
  return answer;
}

// CUPTI continues to cost time after the session (H200: steps a third longer, until the process
// ends), so nothing may be measured after one.
Answer after(Call& call) {
  constexpr int kBlocks = 15;
  Answer answer;
  const auto step = launch_bound_step();
  (void)seconds_of(step, 3, kPlainSteps);
  const double first_s = seconds_of(step, kBlocks, kPlainSteps);
  const double before_s = seconds_of(step, kBlocks, kPlainSteps);
  const Recorded recorded = record(call.plugin, step, kSteps);
  (void)seconds_of(step, 3, kPlainSteps);
  const double after_s = seconds_of(step, kBlocks, kPlainSteps);
  const double last_s = seconds_of(step, kBlocks, kPlainSteps);
  answer.put("first_s", first_s);
  answer.put("before_s", before_s);
  answer.put("after_s", after_s);
  answer.put("last_s", last_s);
  answer.expect(!recorded.why, problems_of(recorded));
  answer.expect(after_s / before_s <= 2, "steps take at most twice as long");
  return answer;
}

double free_mib() {
  std::size_t free_bytes = 0, all_bytes = 0;
  (void)cudaMemGetInfo(&free_bytes, &all_bytes);
  return static_cast<double>(free_bytes) / (1 << 20);
}

Answer flush(Call& call) {
  constexpr double kMostMib = 32, kMostSeconds = 0.05, kNano = 1e-9;
  constexpr int kMostSteps = 200;
  Answer answer;
  const auto step = launch_bound_step();
  (void)seconds_of(step, 1, kPlainSteps);
  const double before_mib = free_mib();
  if (const auto why = call.plugin.trace().start({})) {
    answer.fail(why->text);
    return answer;
  }
  step();
  wait_for_device();
  const double taken_mib = before_mib - free_mib();
  call.plugin.trace().discard();
  const std::int64_t begin_ns = monotonic_ns();
  const int steps = call.arguments.empty() ? kMostSteps : std::atoi(call.arguments.front().c_str());
  for (int i = 0; i < steps; ++i) {
    step();
  }
  wait_for_device();
  const std::int64_t end_ns = monotonic_ns();
  const auto result = call.plugin.trace().finish({begin_ns, end_ns});
  const double seconds = static_cast<double>(monotonic_ns() - end_ns) * kNano;
  const double flush_s = static_cast<double>(result.flush_ns) * kNano;
  answer.put("finish_s", seconds);
  answer.put("flush_s", flush_s);
  answer.put("flushed_bytes", static_cast<double>(result.flushed_bytes));
  answer.put("buffers", static_cast<double>(result.flushed_buffers));
  answer.put("records", static_cast<double>(result.trace.counts.records));
  answer.put("device_memory_mib", taken_mib);
  answer.expect(flush_s < kMostSeconds, "the flush takes less than 50 ms");
  answer.expect(taken_mib <= kMostMib, "it takes at most 32 MiB of the device");
  return answer;
}

// With few and with many records pending: whether the flush grows with them.
Answer flush_both(Call& /*call*/) {
  return answers_of({"flush-after 5", "flush-after 200"});
}

}  // namespace

Items cost_items() {
  return {{"dilation-of", dilation_of},
          {"dilation", dilation},
          {"after", after},
          {"flush-after", flush},
          {"flush", flush_both}};
}

}  // namespace tune::gpu_items
