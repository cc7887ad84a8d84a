// One item of first_run.sh per process, because a process may have only one session of CUPTI. Items
// that need several processes start the program again.

#include "gpu_items.h"

#include "base/clock.h"
#include "gpu_steps.h"
#include "gpu_torch_profile.h"
#include "worker/cuda/cupti_api.h"
#include "worker/cuda/cupti_session.h"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAGraph.h>
#include <ATen/record_function.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <cupti.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tune::gpu_items {

namespace {

using worker::CudaPlugin;
using worker::DeviceTrace;
using worker::TraceOptions;

constexpr int kSteps = 5;
constexpr int kPlainSteps = 50;

/// The arguments of an item.
struct Call {
  CudaPlugin& plugin;
  std::vector<std::string> arguments;
};

std::string own_program() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

/// The last line that this program prints for another item.
std::string answer_of(const std::string& words) {
  std::string command = "'";
  command += own_program();
  command += "' ";
  command += words;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    return "";
  }
  std::array<char, 8192> block{};
  std::string last;
  while (std::fgets(block.data(), block.size(), pipe) != nullptr) {
    last = block.data();
  }
  pclose(pipe);
  while (!last.empty() && last.back() == '\n') {
    last.pop_back();
  }
  return last;
}

// The number after "key": in one of our answers.
double number_in(const std::string& answer, const std::string& key) {
  const std::size_t at = answer.find("\"" + key + "\": ");
  return at == std::string::npos ? 0 : std::atof(answer.c_str() + at + key.size() + 4);
}

bool has_passed(const std::string& answer) {
  return answer.find("\"verdict\": \"pass\"") != std::string::npos;
}

void wait() {
  (void)cudaDeviceSynchronize();
}

std::string library_of(const void* function) {
  Dl_info info{};
  return dladdr(function, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

// Time since this process was started, by the kernel's clock (10 ms).
double seconds_since_exec() {
  constexpr int kStartField = 20;  // index among the fields after the name
  std::ifstream file("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string field;
  for (int i = 0; i < kStartField; ++i) {
    fields >> field;
  }
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  const double ticks = std::atof(field.c_str()) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - ticks;
}

double resident_mib() {
  std::ifstream file("/proc/self/statm");
  double pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// The kernels of a trace and their time.
void put_kernels(Answer& answer, const DeviceTrace& trace) {
  double sum_ns = 0;
  for (const worker::KernelRow& kernel : trace.kernels) {
    sum_ns += static_cast<double>(kernel.end_ns - kernel.start_ns);
  }
  answer.put("kernels", static_cast<double>(trace.kernels.size()));
  answer.put("kernel_ns", sum_ns);
  answer.put("dropped", static_cast<double>(trace.counts.dropped));
}

void expect_whole(Answer& answer, const Recorded& recorded) {
  const auto& in_steps = recorded.result.check.kernels_in_steps;
  const auto differs = std::adjacent_find(in_steps.begin(), in_steps.end(), std::not_equal_to<>());
  answer.expect(!in_steps.empty() && in_steps.front() > 0, "there are kernels in each step");
  answer.expect(differs == in_steps.end(), "each step has as many kernels");
  answer.expect(recorded.result.trace.counts.dropped == 0, "no record was dropped");
  const std::string problems = problems_of(recorded);
  if (!problems.empty()) {
    answer.fail(problems);
  }
}

/// A captured step; its tensors live as long as it does.
class Replayed {
 public:
  Replayed() {
    const auto options = at::TensorOptions(at::kCUDA);
    input_ = at::randn({256, 256}, options);
    const c10::cuda::CUDAStream side = c10::cuda::getStreamFromPool();
    const c10::cuda::CUDAStreamGuard guard(side);
    for (int i = 0; i < 3; ++i) {
      compute();
    }
    wait();
    graph_.capture_begin();
    compute();
    graph_.capture_end();
    wait();
  }
  void replay() { graph_.replay(); }

 private:
  void compute() {
    output_ = input_;
    for (int i = 0; i < kKernels; ++i) {
      output_ = at::mm(output_, input_).relu();
    }
  }

  static constexpr int kKernels = 8;
  at::Tensor input_, output_;
  at::cuda::CUDAGraph graph_;
};

Answer start(Call& call) {
  Answer answer;
  const at::Tensor side = at::ones({64, 64}, at::kCUDA);
  const double sum = at::mm(side, side).sum().item<double>();
  const double seconds = seconds_since_exec();
  const worker::CudaFacts& facts = call.plugin.facts();
  const std::string cupti = library_of(reinterpret_cast<const void*>(&cuptiGetVersion));
  answer.put("seconds", seconds);
  answer.put("resident_mib", resident_mib());
  answer.put("device", facts.name);
  answer.put("uuid", facts.uuid);
  const auto compute_minor = static_cast<double>(facts.compute_minor);
  answer.put("compute_capability", static_cast<double>(facts.compute_major) + compute_minor / 10);
  answer.put("driver", static_cast<double>(facts.driver_version));
  answer.put("runtime", static_cast<double>(facts.runtime_version));
  answer.put("cupti", static_cast<double>(facts.cupti_version));
  answer.put("cudnn", static_cast<double>(facts.cudnn_version));
  answer.put("cupti_library", cupti);
  answer.expect(sum == 64.0 * 64.0 * 64.0, "the product of ones is right");
  const bool is_cuda_13 = facts.runtime_version >= 13'000;
  answer.expect(facts.cupti_version >= (is_cuda_13 ? 130001 : 1), "CUPTI is 130001 or newer");
  answer.expect(is_cuda_13 ? facts.cudnn_version == 91900 : facts.cudnn_version > 0,
                "cuDNN is 91900");
  answer.expect(seconds <= 4, "it takes at most 4 s");
  return answer;
}

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
    wait();
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
  Answer answer;
  for (const char* const item : {"kernels", "attach-after-graph"}) {
    const std::string found = answer_of(item);
    answer.put_json(item, found.starts_with('{') ? found : "null");
    answer.expect(has_passed(found), item);
  }
  return answer;
}

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
  Answer answer;
  for (const char* const item : {"own-clock", "default-clock"}) {
    const std::string found = answer_of(item);
    answer.put_json(item, found.starts_with('{') ? found : "null");
    answer.expect(has_passed(found), item);
  }
  return answer;
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
  worker::CuptiSession second(worker::linked_cupti(), wait);
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
  wait();
  const double taken_mib = before_mib - free_mib();
  call.plugin.trace().discard();
  const std::int64_t begin_ns = monotonic_ns();
  const int steps = call.arguments.empty() ? kMostSteps : std::atoi(call.arguments.front().c_str());
  for (int i = 0; i < steps; ++i) {
    step();
  }
  wait();
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
  Answer answer;
  for (const char* const item : {"flush-after 5", "flush-after 200"}) {
    const std::string found = answer_of(item);
    answer.put_json(item, found.starts_with('{') ? found : "null");
    answer.expect(has_passed(found), item);
  }
  return answer;
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

Answer tf32(Call& /*call*/) {
  Answer answer;
  const auto options = at::TensorOptions(at::kCUDA);
  const at::Tensor left = at::randn({4096, 4096}, options);
  const std::function<void()> step = [left] { (void)at::mm(left, left); };
  at::Context& context = at::globalContext();
  context.setAllowTF32CuBLAS(false);
  (void)seconds_of(step, 1, 5);
  const double exact_s = seconds_of(step, 5, 5);
  context.setAllowTF32CuBLAS(true);
  (void)seconds_of(step, 1, 5);
  const double tf32_s = seconds_of(step, 5, 5);
  context.setAllowTF32CuBLAS(false);
  std::string said = "nothing";
  try {
    context.setFloat32Precision(
        at::Float32Backend::CUDA, at::Float32Op::MATMUL, at::Float32Precision::TF32);
    (void)context.allowTF32CuBLAS();
  } catch (const c10::Error&) {
    said = "throws";
  }
  answer.put("exact_s", exact_s);
  answer.put("tf32_s", tf32_s);
  answer.put("getter_after_the_other_setter", said);
  answer.expect(tf32_s < exact_s, "TF32 is faster");
  answer.expect(said == "throws", "the getter throws after the other setter");
  return answer;
}

// Any copy to the device that overlaps a kernel.
bool do_overlap(const DeviceTrace& trace) {
  constexpr std::uint8_t kHostToDevice = 1;
  return std::any_of(trace.copies.begin(), trace.copies.end(), [&](const worker::CopyRow& copy) {
    return copy.kind == kHostToDevice &&
           std::any_of(trace.kernels.begin(), trace.kernels.end(), [&](const auto& kernel) {
             return kernel.start_ns < copy.end_ns && copy.start_ns < kernel.end_ns;
           });
  });
}

// A block that only fits after the cache is released: LibTorch asks the driver twice.
double retries_near_the_limit(CudaPlugin& plugin) {
  constexpr std::int64_t kBlock = std::int64_t{64} << 20;
  constexpr double kShare = 0.05;
  const auto options = at::TensorOptions(at::kCUDA).dtype(at::kByte);
  c10::cuda::CUDACachingAllocator::setMemoryFraction(kShare, 0);
  plugin.restart_memory_peaks();
  std::vector<at::Tensor> held;
  try {
    while (true) {
      held.push_back(at::empty({kBlock}, options));
    }
  } catch (const c10::OutOfMemoryError&) {  // that is the limit
  }
  const auto before = static_cast<double>(plugin.memory().retries);
  const auto half = static_cast<std::int64_t>(held.size() / 2);
  held.clear();
  (void)at::empty({kBlock * half + 1}, options);
  const double retries = static_cast<double>(plugin.memory().retries) - before;
  c10::cuda::CUDACachingAllocator::setMemoryFraction(1, 0);
  return retries;
}

Answer copies(Call& call) {
  constexpr std::int64_t kMiB = 1 << 20;
  Answer answer;
  const at::Tensor host = at::empty({64 * kMiB}, at::kByte).pin_memory();
  const auto compute = gpu_bound_step();
  const c10::cuda::CUDAStream side = c10::cuda::getStreamFromPool();
  const std::function<void()> step = [&] {
    compute();
    const c10::cuda::CUDAStreamGuard guard(side);
    (void)host.to(at::kCUDA, /*non_blocking=*/true);
  };
  const Recorded recorded = record(call.plugin, step, kSteps);
  answer.put("copies", static_cast<double>(recorded.result.trace.copies.size()));
  answer.expect(do_overlap(recorded.result.trace), "pinned copies overlap kernels");
  std::string said = "nothing";
  try {
    (void)at::empty({kMiB * kMiB * 64}, at::TensorOptions(at::kCUDA).dtype(at::kByte));
  } catch (const c10::OutOfMemoryError&) {
    said = "c10::OutOfMemoryError";
  } catch (const std::exception&) {
    said = "another exception";
  }
  answer.put("out_of_memory", said);
  const double retries = retries_near_the_limit(call.plugin);
  answer.put("retries", retries);
  answer.expect(retries >= 1, "an allocation near the limit is tried again, and that is counted");
  answer.expect(said == "c10::OutOfMemoryError", "out of memory has its own type");
  return answer;
}

Answer hardware_trace(Call& call) {
  constexpr std::int64_t kBlackwell = 10;
  Answer answer;
  const CUptiResult result = cuptiActivityEnableHWTrace(1);
  const char* name = "";
  (void)cuptiGetResultString(result, &name);
  answer.put("code", static_cast<double>(result));
  answer.put("name", std::string(name));
  const bool is_new = call.plugin.facts().compute_major >= kBlackwell;
  answer.expect(is_new || result != CUPTI_SUCCESS, "it is not supported before Blackwell");
  return answer;
}

using Item = Answer (*)(Call& call);

const std::map<std::string, Item>& items() {
  static const std::map<std::string, Item> all = {{"start", start},
                                                  {"kernels", kernels},
                                                  {"launch-calls", launch_calls},
                                                  {"torch-profile", torch_profile_item},
                                                  {"attach-after-graph", attach_after_graph},
                                                  {"late-attach", late_attach},
                                                  {"own-clock", own_clock},
                                                  {"default-clock", default_clock},
                                                  {"clocks", clocks},
                                                  {"clock-twice", clock_twice},
                                                  {"second-session", second_session},
                                                  {"two-sessions", two_sessions},
                                                  {"dilation-of", dilation_of},
                                                  {"dilation", dilation},
                                                  {"after", after},
                                                  {"flush-after", flush},
                                                  {"flush", flush_both},
                                                  {"backward-thread", backward_thread},
                                                  {"graph", graph},
                                                  {"tf32", tf32},
                                                  {"copies", copies},
                                                  {"hardware-trace", hardware_trace}};
  return all;
}

}  // namespace

bool run_item(const std::string& name,
              worker::CudaPlugin& plugin,
              std::vector<std::string> arguments,
              Answer& answer) {
  const auto item = items().find(name);
  if (item == items().end()) {
    return false;
  }
  try {
    Call call{plugin, std::move(arguments)};
    answer = item->second(call);
  } catch (const std::exception& error) {
    answer.fail(error.what());
  }
  return true;
}

}  // namespace tune::gpu_items
