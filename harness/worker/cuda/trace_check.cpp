#include "worker/cuda/trace_check.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace tune::worker {

namespace {

constexpr std::int64_t kLaunchToleranceNs = 5'000;
constexpr std::int64_t kOverlapToleranceNs = 1'000;
constexpr double kStrayTolerance = 0.001;
constexpr double kCountTolerance = 0.01;
constexpr std::size_t kLongestName = 80;

using Launches = std::unordered_map<std::uint32_t, std::int64_t>;  // correlation -> start

// A driver call inside a runtime call shares its correlation: use the outer one, which began first.
Launches launches_of(const DeviceTrace& trace) {
  Launches launches;
  launches.reserve(trace.calls.size());
  for (const CallRow& call : trace.calls) {
    const auto [found, is_new] = launches.try_emplace(call.correlation, call.start_ns);
    if (!is_new) {
      found->second = std::min(found->second, call.start_ns);
    }
  }
  return launches;
}

class Checker {
 public:
  Checker(const DeviceTrace& trace, const std::vector<std::int64_t>& edges)
      : trace_(trace), edges_(edges), launches_(launches_of(trace)) {}

  TraceCheck run() {
    found_.kernels_in_steps.resize(edges_.size() < 2 ? 0 : edges_.size() - 1);
    for (const KernelRow& kernel : trace_.kernels) {
      look_at(kernel);
      count_in_step(kernel);
    }
    count_without_launch(trace_.copies);
    count_without_launch(trace_.sets);
    count_overlaps();
    name_problems();
    return std::move(found_);
  }

 private:
  void look_at(const KernelRow& kernel) {
    const auto launch = launches_.find(kernel.correlation);
    if (launch == launches_.end()) {
      ++found_.kernels_without_launch;
      ++without_launch_[kernel.name];
      return;
    }
    const std::int64_t delay_ns = kernel.start_ns - launch->second;
    found_.least_delay_ns = std::min(found_.least_delay_ns.value_or(delay_ns), delay_ns);
    found_.kernels_before_launch += delay_ns < -kLaunchToleranceNs ? 1 : 0;
  }

  // Libraries copy and set through driver calls that are not recorded.
  template <class Row>
  void count_without_launch(const std::vector<Row>& rows) {
    found_.other_work_without_launch +=
        std::count_if(rows.begin(), rows.end(), [&](const Row& row) {
          return !launches_.contains(row.correlation);
        });
  }

  void count_in_step(const KernelRow& kernel) {
    const auto launch = launches_.find(kernel.correlation);
    if (launch == launches_.end() || found_.kernels_in_steps.empty()) {
      return;
    }
    const auto after = std::upper_bound(edges_.begin(), edges_.end(), launch->second);
    if (after != edges_.begin() && after != edges_.end()) {
      ++found_.kernels_in_steps[static_cast<std::size_t>(after - edges_.begin() - 1)];
    }
  }

  // Rows are sorted by start.
  void count_overlaps() {
    std::unordered_map<std::uint64_t, std::int64_t> ends;  // by device and stream
    for (const KernelRow& kernel : trace_.kernels) {
      if (kernel.graph != 0) {
        continue;
      }
      const std::uint64_t key = (static_cast<std::uint64_t>(kernel.device) << 32U) | kernel.stream;
      const auto [end, is_first] = ends.try_emplace(key, kernel.end_ns);
      if (!is_first) {
        found_.overlapping_kernels += end->second - kernel.start_ns > kOverlapToleranceNs ? 1 : 0;
        end->second = std::max(end->second, kernel.end_ns);
      }
    }
  }

  static void say(std::vector<std::string>& where, std::int64_t count, const std::string& what) {
    if (count != 0) {
      where.push_back(std::to_string(count) + " " + what);
    }
  }

  // A stray record does not discredit the others.
  void complain_of(std::int64_t count, std::int64_t all, const std::string& what) {
    const bool are_few = static_cast<double>(count) <= kStrayTolerance * static_cast<double>(all);
    say(are_few ? found_.notes : found_.problems, count, what);
  }

  // " (most often gemm_kernel)": the kernels whose launches are missing.
  std::string most_often_without_launch() const {
    const auto most = std::max_element(
        without_launch_.begin(), without_launch_.end(), [](const auto& a, const auto& b) {
          return a.second < b.second;
        });
    if (most == without_launch_.end() || most->first >= trace_.names.size()) {
      return "";
    }
    const std::string& name = trace_.names[most->first];
    const bool is_long = name.size() > kLongestName;
    return " (most often " + name.substr(0, kLongestName) + (is_long ? "...)" : ")");
  }

  void name_problems() {
    const DecodeCounts& counts = trace_.counts;
    const auto kernels = static_cast<std::int64_t>(trace_.kernels.size());
    complain_of(counts.dropped, counts.records, "records were dropped (CUPTI had no buffer)");
    complain_of(counts.without_time, counts.records, "records have no time");
    complain_of(counts.backwards, counts.records, "records end before they start");
    say(found_.problems, counts.broken_buffers, "buffers of records cannot be read to the end");
    complain_of(found_.kernels_without_launch,
                kernels,
                "kernels have no launch call" + most_often_without_launch());
    complain_of(
        found_.kernels_before_launch, kernels, "kernels start more than 5 us before their launch");
    say(found_.notes, found_.other_work_without_launch, "copies or sets have no launch call");
    // Programmatic dependent launch (Hopper and later) starts a kernel before the previous one on
    // the stream has ended.
    say(found_.notes,
        found_.overlapping_kernels,
        "kernels overlap the previous one on their stream");
    const auto& steps = found_.kernels_in_steps;
    if (steps.empty()) {
      return;
    }
    const auto [least, most] = std::minmax_element(steps.begin(), steps.end());
    const auto allowed = std::max(1.0, kCountTolerance * static_cast<double>(*most));
    if (*most == 0) {
      found_.problems.emplace_back("no kernel was recorded");
    } else if (static_cast<double>(*most - *least) > allowed) {
      std::string problem = "the steps differ in their kernels (";
      problem += std::to_string(*least);
      problem += " to ";
      problem += std::to_string(*most);
      problem += ")";
      found_.problems.push_back(std::move(problem));
    }
  }

  const DeviceTrace& trace_;
  const std::vector<std::int64_t>& edges_;
  const Launches launches_;
  std::unordered_map<std::size_t, std::int64_t>
      without_launch_;  // kernels, by the index of their name
  TraceCheck found_;
};

template <class Row>
void clip_rows(std::vector<Row>& rows, std::int64_t begin_ns, std::int64_t end_ns) {
  std::erase_if(rows,
                [&](const Row& row) { return row.end_ns < begin_ns || row.start_ns > end_ns; });
}

}  // namespace

void clip_trace(DeviceTrace& trace, std::int64_t begin_ns, std::int64_t end_ns) {
  clip_rows(trace.kernels, begin_ns, end_ns);
  clip_rows(trace.copies, begin_ns, end_ns);
  clip_rows(trace.sets, begin_ns, end_ns);
  clip_rows(trace.calls, begin_ns, end_ns);
  clip_rows(trace.syncs, begin_ns, end_ns);
  clip_rows(trace.overheads, begin_ns, end_ns);
  clip_rows(trace.graphs, begin_ns, end_ns);
  std::unordered_set<std::uint32_t> kept;
  kept.reserve(trace.calls.size());
  for (const CallRow& call : trace.calls) {
    kept.insert(call.correlation);
  }
  std::erase_if(trace.externals,
                [&](const ExternalRow& row) { return !kept.contains(row.correlation); });
}

TraceCheck check_trace(const DeviceTrace& trace, const std::vector<std::int64_t>& edges) {
  return Checker(trace, edges).run();
}

}  // namespace tune::worker
