#include "measure/runner/phases.h"

#include "measure/runner/output_log.h"
#include "trial/worker_lines.h"

#include <algorithm>
#include <charconv>

namespace tune::runner {

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kColdDiskNs = 20 * kSecondNs;  // gigabytes of libraries, not in memory yet

}  // namespace

PhaseLimits phase_limits(const trial::TrialSpec& spec) {
  const std::int64_t whole_ns = spec.timeout_ns;
  const std::int64_t half_ns = whole_ns / 2;
  // Each at most a day of nanoseconds, and at most 2,000 slices: no overflow.
  const std::int64_t slices = spec.measure.slices + spec.measure.spare_slices;
  const std::int64_t window_ns = slices * spec.measure.slice_ns;
  const bool lets_end = spec.workload.script.stop_after == "script";  // and waits for it
  const std::int64_t write_ns = std::clamp(half_ns, 10 * kSecondNs, 60 * kSecondNs);
  PhaseLimits limits = {{std::string(kStartPhase), std::max(whole_ns / 4, kColdDiskNs)},
                        {"setup", std::max(whole_ns - spec.measure.warmup_ns - window_ns, half_ns)},
                        {"first-batch", std::max(half_ns, kColdDiskNs)},
                        {"warmup", std::max(whole_ns - window_ns, half_ns)},
                        {"measure", whole_ns},
                        {"write", lets_end ? whole_ns : write_ns},
                        {"profiled", whole_ns},
                        {"done", 5 * kSecondNs}};
  for (auto& [phase, limit_ns] : limits) {
    limit_ns = std::min(limit_ns, whole_ns);
  }
  return limits;
}

namespace {

constexpr std::size_t kLongestLine = 128;

}  // namespace

std::vector<PhaseArrival> PhaseLines::add(std::string_view text, std::int64_t now_ns) {
  std::vector<PhaseArrival> begun;
  while (!text.empty() && problem_.empty()) {
    const std::size_t end = text.find('\n');
    partial_ += text.substr(0, std::min(end, kLongestLine + 1));
    if (partial_.size() > kLongestLine) {
      problem_ = "a phase line is too long: " + printable(partial_.substr(0, 40));
    } else if (end != std::string_view::npos) {
      add_line(partial_, now_ns, begun);
      partial_.clear();
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return begun;
}

void PhaseLines::add_line(std::string_view line,
                          std::int64_t now_ns,
                          std::vector<PhaseArrival>& begun) {
  const std::size_t space = line.find(' ');
  const std::string_view name = line.substr(0, space);
  const std::string_view number =
      space == std::string_view::npos ? std::string_view() : line.substr(space + 1);
  const auto* const known = std::find(trial::kPhases.begin() + next_, trial::kPhases.end(), name);
  std::int64_t worker_ns = -1;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), worker_ns);
  if (known == trial::kPhases.end() || read.ec != std::errc() || worker_ns < 0 ||
      read.ptr != number.data() + number.size()) {
    problem_ = "a phase line makes no sense after '" + phase_ + "': " + printable(line);
    return;
  }
  if (worker_ns < last_ns_ || worker_ns > now_ns) {  // one clock for all processes
    problem_ = "a phase line has an impossible time: " + printable(line);
    return;
  }
  last_ns_ = worker_ns;
  next_ = static_cast<std::size_t>(known - trial::kPhases.begin()) + 1;
  phase_ = std::string(name);
  begun.push_back({phase_, now_ns, worker_ns});
}

}  // namespace tune::runner
