#include "worker/recorder/device_side.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace tune::worker {

namespace {

template <class Row>
void keep_inside(std::vector<Row>& rows, const std::vector<TraceWindow>& windows) {
  std::erase_if(rows, [&](const Row& row) {
    return std::none_of(windows.begin(), windows.end(), [&](const TraceWindow& window) {
      return row.start_ns >= window.start_ns && row.end_ns <= window.end_ns;
    });
  });
}

void keep_inside(DeviceTrace& trace, const std::vector<TraceWindow>& windows) {
  keep_inside(trace.kernels, windows);
  keep_inside(trace.copies, windows);
  keep_inside(trace.sets, windows);
  keep_inside(trace.calls, windows);
  keep_inside(trace.syncs, windows);
  keep_inside(trace.overheads, windows);
  keep_inside(trace.graphs, windows);
}

/// The rows of one thread that are open at a moment; queried in the order of time.
class OpenRows {
 public:
  explicit OpenRows(const TraceRows& rows) : rows_(rows) {}

  /// Sorted by start, as in TraceRows.
  void add(std::size_t row) { all_.push_back(row); }

  /// Outermost first.
  const std::vector<std::size_t>& at(std::int64_t time_ns) {
    while (next_ < all_.size() && rows_.rows[all_[next_]].start_ns <= time_ns) {
      close(rows_.rows[all_[next_]].start_ns);
      open_.push_back(all_[next_]);
      ++next_;
    }
    close(time_ns);
    return open_;
  }

 private:
  void close(std::int64_t time_ns) {
    while (!open_.empty() && rows_.rows[open_.back()].end_ns <= time_ns) {
      open_.pop_back();
    }
  }

  const TraceRows& rows_;
  std::vector<std::size_t> all_, open_;
  std::size_t next_ = 0;
};

class Joiner {
 public:
  Joiner(DeviceSide& side, const Recording& recording, const TraceRows& rows)
      : side_(side), recording_(recording), logs_(recording.logs()), rows_(rows) {
    std::stable_sort(side.trace.calls.begin(),
                     side.trace.calls.end(),
                     [](const CallRow& a, const CallRow& b) { return a.start_ns < b.start_ns; });
  }

  void find_operators() {
    std::unordered_map<std::int64_t, OpenRows> threads;
    for (std::size_t i = 0; i < rows_.rows.size(); ++i) {
      const EventKind kind = rows_.rows[i].kind;
      if (kind == EventKind::op || kind == EventKind::backward) {
        threads.try_emplace(thread_of(i), rows_).first->second.add(i);
      }
    }
    for (const CallRow& call : side_.trace.calls) {
      const auto thread = threads.find(call.thread);
      if (thread == threads.end()) {
        continue;
      }
      const auto& open = thread->second.at(call.start_ns);
      if (!open.empty()) {  // for nested calls the outer one counts, which came first
        side_.operators.try_emplace(call.correlation, open.back());
      }
    }
  }

  void find_annotations() {
    OpenRows ranges(rows_);
    for (std::size_t i = 0; i < rows_.rows.size(); ++i) {
      if (rows_.rows[i].kind == EventKind::annotation && thread_of(i) == getpid()) {
        ranges.add(i);
      }
    }
    for (const Work& work : launched_work()) {
      for (const std::size_t row : ranges.at(work.launch_ns)) {
        const auto key = std::tuple(row, work.device, work.stream);
        const auto [span, is_new] = spans_.try_emplace(key, work.start_ns, work.end_ns);
        if (!is_new) {
          span->second.first = std::min(span->second.first, work.start_ns);
          span->second.second = std::max(span->second.second, work.end_ns);
        }
      }
    }
    side_.annotations.reserve(spans_.size());
    for (const auto& [key, span] : spans_) {
      const auto& [row, device, stream] = key;
      std::string name(recording_.names().text(rows_.rows[row].name));
      side_.annotations.push_back({row, std::move(name), device, stream, span.first, span.second});
    }
    std::stable_sort(side_.annotations.begin(),
                     side_.annotations.end(),
                     [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
  }

 private:
  struct Work {
    std::int64_t launch_ns = 0, start_ns = 0, end_ns = 0;
    std::uint32_t device = 0, stream = 0;
  };

  std::int64_t thread_of(std::size_t row) const {
    return logs_[rows_.rows[row].log]->owner().thread;
  }

  template <class Row>
  void add_work(const std::vector<Row>& rows,
                const std::unordered_map<std::uint32_t, std::int64_t>& launches,
                std::vector<Work>& all) const {
    for (const Row& row : rows) {
      if (const auto launch = launches.find(row.correlation); launch != launches.end()) {
        all.push_back({launch->second, row.start_ns, row.end_ns, row.device, row.stream});
      }
    }
  }

  // Sorted by the time of the launch.
  std::vector<Work> launched_work() const {
    std::unordered_map<std::uint32_t, std::int64_t> launches;
    for (const CallRow& call : side_.trace.calls) {
      launches.try_emplace(call.correlation, call.start_ns);
    }
    const DeviceTrace& trace = side_.trace;
    std::vector<Work> all;
    all.reserve(trace.kernels.size() + trace.copies.size() + trace.sets.size());
    add_work(trace.kernels, launches, all);
    add_work(trace.copies, launches, all);
    add_work(trace.sets, launches, all);
    add_work(trace.graphs, launches, all);
    std::stable_sort(all.begin(), all.end(), [](const Work& a, const Work& b) {
      return a.launch_ns < b.launch_ns;
    });
    return all;
  }

  DeviceSide& side_;
  const Recording& recording_;
  const std::vector<const ThreadLog*> logs_;
  const TraceRows& rows_;
  std::map<std::tuple<std::size_t, std::uint32_t, std::uint32_t>,
           std::pair<std::int64_t, std::int64_t>>
      spans_;
};

std::int64_t size_of(std::size_t count) {
  return static_cast<std::int64_t>(count);
}

}  // namespace

std::int64_t DeviceSide::count() const {
  return size_of(trace.kernels.size() + trace.copies.size() + trace.sets.size() +
                 trace.calls.size() + trace.syncs.size() + trace.overheads.size() +
                 trace.graphs.size() + annotations.size());
}

std::int64_t DeviceSide::json_bytes_at_most() const {
  constexpr std::int64_t kRow = 640, kFrame = 4'096;
  std::int64_t bytes = kFrame + kRow * count();
  for (const KernelRow& kernel : trace.kernels) {  // some names have thousands of characters
    bytes += 2 * size_of(trace.names[kernel.name].size());
  }
  return bytes;
}

DeviceSide join_device(DeviceTrace trace,
                       const CudaFacts& gpu,
                       const Recording& recording,
                       const TraceRows& rows,
                       const std::vector<TraceWindow>& windows) {
  DeviceSide side;
  side.gpu = gpu;
  side.trace = std::move(trace);
  keep_inside(side.trace, windows);
  Joiner joiner(side, recording, rows);
  joiner.find_operators();
  joiner.find_annotations();
  return side;
}

namespace {

template <class Number>
std::int64_t product(const std::array<Number, 3>& sizes) {
  return static_cast<std::int64_t>(sizes[0]) * sizes[1] * sizes[2];
}

std::int64_t rounded_up(std::int64_t number, std::int64_t unit) {
  return (number + unit - 1) / unit * unit;
}

// "Maximum number of resident blocks per SM" of the guide.
std::int64_t most_blocks(const CudaFacts& gpu) {
  const std::int64_t capability = gpu.compute_major * 10 + gpu.compute_minor;
  switch (capability) {
    case 75:
    case 86:
    case 87:
      return 16;
    case 89:
    case 120:
    case 121:
      return 24;
    default:
      return 32;
  }
}

std::int64_t by_registers(const KernelRow& kernel, const CudaFacts& gpu, std::int64_t warps) {
  constexpr std::int64_t kUnit = 256;      // registers are allocated to warps in these units
  constexpr std::int64_t kPartitions = 4;  // of a multiprocessor, each with a quarter of them
  if (kernel.registers <= 0) {
    return most_blocks(gpu);
  }
  const std::int64_t of_warp = rounded_up(kernel.registers * gpu.warp_size, kUnit);
  const std::int64_t in_partition = gpu.registers_per_multiprocessor / kPartitions / of_warp;
  return in_partition * kPartitions / warps;
}

std::int64_t by_shared_memory(const KernelRow& kernel, const CudaFacts& gpu) {
  constexpr std::int64_t kUnit = 128;
  const std::int64_t kept_by_system = gpu.compute_major >= 8 ? 1'024 : 0;  // of each block
  const std::int64_t asked =
      static_cast<std::int64_t>(kernel.static_shared) + kernel.dynamic_shared;
  const std::int64_t of_block = rounded_up(asked + kept_by_system, kUnit);
  return of_block == 0 ? most_blocks(gpu) : gpu.shared_per_multiprocessor / of_block;
}

}  // namespace

double blocks_per_multiprocessor(const KernelRow& kernel, const CudaFacts& gpu) {
  return gpu.multiprocessors <= 0
             ? 0
             : static_cast<double>(product(kernel.grid)) / static_cast<double>(gpu.multiprocessors);
}

double warps_per_multiprocessor(const KernelRow& kernel, const CudaFacts& gpu) {
  return gpu.warp_size <= 0
             ? 0
             : blocks_per_multiprocessor(kernel, gpu) * static_cast<double>(product(kernel.block)) /
                   static_cast<double>(gpu.warp_size);
}

std::int64_t blocks_at_once(const KernelRow& kernel, const CudaFacts& gpu) {
  const std::int64_t threads = product(kernel.block);
  if (threads <= 0 || gpu.warp_size <= 0) {
    return 0;
  }
  const std::int64_t warps = rounded_up(threads, gpu.warp_size) / gpu.warp_size;
  const std::int64_t by_threads = gpu.threads_per_multiprocessor / gpu.warp_size / warps;
  return std::min({most_blocks(gpu),
                   by_threads,
                   by_registers(kernel, gpu, warps),
                   by_shared_memory(kernel, gpu)});
}

std::int64_t occupancy_percent(const KernelRow& kernel, const CudaFacts& gpu) {
  constexpr double kPercent = 100;
  if (gpu.threads_per_multiprocessor <= 0) {
    return 0;
  }
  const double blocks = std::min(static_cast<double>(blocks_at_once(kernel, gpu)),
                                 blocks_per_multiprocessor(kernel, gpu));
  const double share = blocks * static_cast<double>(product(kernel.block)) /
                       static_cast<double>(gpu.threads_per_multiprocessor);
  return std::llround(kPercent * std::min(share, 1.0));
}

}  // namespace tune::worker
