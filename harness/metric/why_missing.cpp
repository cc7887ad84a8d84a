#include "metric/why_missing.h"

#include <cmath>

namespace tune::metric {

namespace {

using profile::Role;

constexpr double kMostUncorrelated = 0.2;  // as the rule incomplete-trace

bool has(const TraceInput& input, Role role) {
  return input.partition.rows[static_cast<std::size_t>(role)] > 0;
}

bool has_kernels(const TraceInput& input) {
  return has(input, Role::kernel) || has(input, Role::communication);
}

// The first of them that is missing.
std::string first_reason(const TraceInput& input, bool is_there, const char* reason) {
  std::string no_steps = why_no_steps(input);
  if (!no_steps.empty() || is_there) {
    return no_steps;
  }
  return input.partition.has_device_rows ? reason : "the trace has rows of the CPU alone";
}

}  // namespace

std::string why_no_kernels(const TraceInput& input) {
  return first_reason(input,
                      has_kernels(input),
                      "no kernel was recorded: none ran, or the profiler did not watch the device");
}

std::string why_no_device_work(const TraceInput& input) {
  return first_reason(input,
                      !input.partition.device_busy.empty(),
                      "no kernel or copy was recorded, only calls of the host");
}

double uncorrelated_ratio(const TraceInput& input) {
  return static_cast<double>(input.kernels_without_call) / static_cast<double>(input.kernels);
}

std::string why_no_launches(const TraceInput& input) {
  if (input.kernels == 0 || uncorrelated_ratio(input) < kMostUncorrelated) {
    return "";
  }
  const auto percent = std::llround(100 * uncorrelated_ratio(input));
  return std::to_string(percent) +
         " % of the kernels cannot be joined to the calls that launched them: calls or correlation "
         "ids are missing";
}

std::string why_no_critical_path(const TraceInput& input) {
  std::string why = why_no_device_work(input);
  if (why.empty()) {
    why = input.critical_path.reason;
  }
  if (why.empty()) {
    why = why_no_launches(input);
  }
  return why.empty() && input.critical_path.length_ns == 0 ? "the path takes no time" : why;
}

std::string why_no_calls(const TraceInput& input) {
  return first_reason(
      input, has(input, Role::runtime), "no call of the host into a device's library was recorded");
}

std::string why_no_operators(const TraceInput& input) {
  std::string no_steps = why_no_steps(input);
  return !no_steps.empty() || has(input, Role::cpu_op)
             ? no_steps
             : "no operator was recorded (ProfilerActivity.CPU)";
}

std::string why_no_communication(const TraceInput& input) {
  return first_reason(input,
                      has(input, Role::communication),
                      "no collective ran: no kernel is called like those of NCCL, RCCL, oneCCL or "
                      "HCCL");
}

std::string why_no_loader(const TraceInput& input) {
  const std::string no_steps = why_no_steps(input);
  return !no_steps.empty() || has(input, Role::data_loading)
             ? no_steps
             : "no row is called enumerate(DataLoader)#: the loader is not PyTorch's, ran outside "
               "of the trace, or does not exist";
}

std::string why_no_marked_steps(const TraceInput& input) {
  const auto& steps = input.partition.steps;
  const bool are_there =
      steps.are_marked && !steps.steps.empty() && steps.steps.front().name != "trace";
  return are_there ? "" : "no step is marked: call profiler.step() after each (ProfilerStep# rows)";
}

std::string why_not_several_steps(const TraceInput& input) {
  if (std::string why = why_no_marked_steps(input); !why.empty()) {
    return why;
  }
  return input.partition.steps.steps.size() > 1 ? "" : "one step tells nothing about others";
}

}  // namespace tune::metric
