// Items about what a session records: kernels and their launches, of graphs and of other threads.

#include "base/clock.h"
#include "gpu_item.h"
#include "gpu_torch_profile.h"

#include <ATen/record_function.h>
#include <cupti.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace tune::gpu_items {

namespace {

using worker::DeviceTrace;

// The same steps as torch-profile, after plain ones.
Answer kernels(Call& call) {
  Answer answer;
  const auto step = launch_bound_step();
  (void)seconds_of(step, 1, kPlainSteps);
  const Recorded recorded = record(call.plugin, step, kSteps);
  put_kernels(answer, recorded.result.trace);
  expect_whole(answer, recorded);
  return answer;
}

// The launch of each kernel when every driver call is recorded; with a session's usual selection
// none may be missing. The steps use the runtime, cuBLAS and fused attention.
Answer launch_calls(Call& call) {
  Answer answer;
  const bool has_every_call = call.arguments.empty();
  const std::vector<std::function<void()>> steps = {
      launch_bound_step(), transformer_step(), gpu_bound_step()};
  if (const auto why = call.plugin.trace().start({})) {
    answer.fail(why->text);
    return answer;
  }
  if (has_every_call) {
    answer.put("every_call", static_cast<double>(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER)));
  }
  const auto run_all = [&] {
    for (const auto& step : steps) {
      step();
    }
    wait_for_device();
  };
  run_all();
  call.plugin.trace().discard();
  const std::int64_t begin_ns = monotonic_ns();
  run_all();
  const auto result = call.plugin.trace().finish({begin_ns, monotonic_ns()});
  for (const std::string& note : result.notes) {
    answer.put("note", note);
  }
  std::map<std::uint32_t, std::string> calls;  // by correlation
  for (const worker::CallRow& row : result.trace.calls) {
    calls[row.correlation] += " " + result.trace.names.at(row.name);
  }
  std::map<std::string, double> launched, without;
  for (const worker::KernelRow& kernel : result.trace.kernels) {
    const auto found = calls.find(kernel.correlation);
    if (found == calls.end()) {
      ++without[result.trace.names.at(kernel.name)];
    } else {
      ++launched[found->second.substr(1)];
    }
  }
  for (const auto& [names, count] : launched) {
    answer.put(names, count);
  }
  for (const auto& [name, count] : without) {
    answer.put("nobody launched " + name, count);
  }
  if (has_every_call) {
    const std::string found = answer_of("launch-calls usual");
    answer.put_json("usual", found.starts_with('{') ? found : "null");
    answer.expect(has_passed(found), "a session's usual choice has every launch");
  }
  answer.expect(without.empty(), "each kernel has a call");
  return answer;
}

Answer torch_profile_item(Call& call) {
  Answer answer;
  if (call.arguments.empty()) {
    answer.fail("needs a file");
    return answer;
  }
  const auto step = launch_bound_step();
  (void)seconds_of(step, 1, kPlainSteps);
  torch_profile(step, kSteps, call.arguments.front());
  return answer;
}

Answer attach_after_graph(Call& call) {
  Answer answer;
  Replayed graph;
  const Recorded recorded = record(
      call.plugin, [&] { graph.replay(); }, kSteps);
  put_kernels(answer, recorded.result.trace);
  expect_whole(answer, recorded);
  return answer;
}

Answer late_attach(Call& /*call*/) {
  return answers_of({"kernels", "attach-after-graph"});
}

/// The threads that run nodes of the backward pass.
class BackwardThreads {
 public:
  static void begin(const at::RecordFunction& /*row*/) {
    const std::scoped_lock lock(mutex());
    all().insert(gettid());
  }
  static std::set<pid_t>& all() {
    static std::set<pid_t> threads;
    return threads;
  }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
};

std::unique_ptr<at::ObserverContext> note_backward(const at::RecordFunction& row) {
  BackwardThreads::begin(row);
  return nullptr;
}

Answer backward_thread(Call& call) {
  Answer answer;
  const auto step = launch_bound_step();
  (void)seconds_of(step, 1, kPlainSteps);
  (void)at::addGlobalCallback(
      at::RecordFunctionCallback(note_backward).scopes({at::RecordScope::BACKWARD_FUNCTION}));
  const Recorded recorded = record(call.plugin, step, kSteps);
  const std::set<pid_t>& threads = BackwardThreads::all();
  double launches = 0, on_backward = 0;
  for (const worker::CallRow& row : recorded.result.trace.calls) {
    const bool is_launch =
        recorded.result.trace.names.at(row.name).find("Launch") != std::string::npos;
    launches += is_launch ? 1 : 0;
    on_backward += is_launch && threads.contains(static_cast<pid_t>(row.thread)) ? 1 : 0;
  }
  answer.put("threads", static_cast<double>(threads.size()));
  answer.put("launches", launches);
  answer.put("launches_on_it", on_backward);
  answer.expect(threads.size() == 1 && !threads.contains(gettid()), "one thread of its own");
  answer.expect(on_backward > 0, "it launches kernels");
  return answer;
}

Answer graph(Call& call) {
  Answer answer;
  Replayed replayed;
  const Recorded recorded = record(
      call.plugin, [&] { replayed.replay(); }, kSteps);
  const DeviceTrace& trace = recorded.result.trace;
  double with_node = 0;
  std::set<std::uint32_t> correlations;
  for (const worker::KernelRow& kernel : trace.kernels) {
    with_node += kernel.graph_node != 0 ? 1 : 0;
    correlations.insert(kernel.correlation);
  }
  put_kernels(answer, trace);
  answer.put("kernels_with_node", with_node);
  answer.put("correlations", static_cast<double>(correlations.size()));
  answer.put("graph_rows", static_cast<double>(trace.graphs.size()));
  answer.expect(!trace.kernels.empty(), "there are kernels");
  answer.expect(with_node == static_cast<double>(trace.kernels.size()), "each has its node");
  answer.expect(correlations.size() == static_cast<std::size_t>(kSteps),
                "nodes share the launch's correlation");
  return answer;
}

}  // namespace

Items recording_items() {
  return {{"kernels", kernels},
          {"launch-calls", launch_calls},
          {"torch-profile", torch_profile_item},
          {"attach-after-graph", attach_after_graph},
          {"late-attach", late_attach},
          {"backward-thread", backward_thread},
          {"graph", graph}};
}

}  // namespace tune::gpu_items
