// Reading speed of `tune analyze`: wall time, rate, rows per second, peak memory, and the cost of
// metrics and tables after reading, median of five.
//
//     trace_bench --write <file> <MB> writes a trace, equal for the same size
//     trace_bench <file> [memory limit in MB]    reads one

#include "base/clock.h"
#include "base/error.h"
#include "base/stats/quantile.h"
#include "large_trace.h"
#include "trace/metric/trace_metrics.h"
#include "trace/reader/read_trace.h"
#include "trace/table/tables.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <vector>

namespace {

constexpr double kMega = 1e6;

double peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / kMega;
}

// Wall time, and CPU time of the process: on a shared machine only the latter shows the cost of a
// program.
struct Stopwatch {
  double wall_ms() const { return static_cast<double>(tune::monotonic_ns() - wall_ns) * 1e-6; }
  double cpu_ms() const { return static_cast<double>(cpu_now_ns() - cpu_ns) * 1e-6; }
  static std::int64_t cpu_now_ns() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
  }

  std::int64_t wall_ns = tune::monotonic_ns(), cpu_ns = cpu_now_ns();
};

struct Cost {
  std::vector<double> wall_ms, cpu_ms;

  void add(const Stopwatch& watch) {
    wall_ms.push_back(watch.wall_ms());
    cpu_ms.push_back(watch.cpu_ms());
  }
  void print(const char* name, double events) const {
    const double wall = tune::stats::median(wall_ms);
    const double cpu = tune::stats::median(cpu_ms);
    std::printf("%s %.1f ms, CPU %.1f ms; per 100,000 events %.1f ms, CPU %.1f ms\n",
                name,
                wall,
                cpu,
                wall / events * 1e5,
                cpu / events * 1e5);
  }
};

void measure_analysis(const tune::profile::Timeline& timeline) {
  constexpr int kTimes = 5;
  Cost examined, metrics, tables;
  for (int i = 0; i < kTimes; ++i) {
    const Stopwatch watch;
    const auto input = tune::metric::examine(timeline);
    examined.add(watch);
    tune::metric::trace_metrics(input);
    metrics.add(watch);
    const Stopwatch table_watch;
    tune::table::all_tables(tune::metric::table_input(input));
    tables.add(table_watch);
  }
  const auto events = static_cast<double>(timeline.events.size());
  std::printf("events    %.0f kept\n", events);
  examined.print("examine  ", events);
  metrics.print("+ metrics", events);
  tables.print("tables   ", events);
}

void measure(const std::string& path, std::int64_t limit_bytes) {
  const Stopwatch watch;
  const auto timeline = tune::profile::read_trace(path, {.memory_limit_bytes = limit_bytes});
  const double wall_s = watch.wall_ms() * 1e-3, cpu_s = watch.cpu_ms() * 1e-3;
  const double read_peak_mb = peak_memory_mb();
  const auto rows = static_cast<double>(timeline.cost.rows);
  const double json_mb = static_cast<double>(timeline.cost.json_bytes) / kMega;
  std::printf(
      "read      %.1f MB of JSON, %.0f rows in %.3f s, CPU %.3f s: %.0f MB/s, %.0f rows/s; CPU "
      "%.0f MB/s\n",
      json_mb,
      rows,
      wall_s,
      cpu_s,
      json_mb / wall_s,
      rows / wall_s,
      json_mb / cpu_s);
  measure_analysis(timeline);
  std::printf(
      "memory    rows %.1f MB; peak of the process %.1f MB read, %.1f MB analysed: %.2f x the "
      "JSON\n",
      static_cast<double>(timeline.cost.table_bytes) / kMega,
      read_peak_mb,
      peak_memory_mb(),
      peak_memory_mb() / json_mb);
  if (timeline.cut_at_ns) {
    std::printf("cut       the first %.3f s fit into the limit\n",
                static_cast<double>(*timeline.cut_at_ns) * 1e-9);
  }
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::int64_t kBytesOfMb = 1'000'000;
  const bool is_write = argc == 4 && std::string_view(argv[1]) == "--write";
  if (!is_write && argc != 2 && argc != 3) {
    std::cerr << "trace_bench FILE [LIMIT_MB], or trace_bench --write FILE MB\n";
    return 2;
  }
  try {
    if (is_write) {
      tune::bench::write_large_trace(argv[2], std::atoll(argv[3]) * kBytesOfMb);
    } else {
      measure(argv[1], argc > 2 ? std::atoll(argv[2]) * kBytesOfMb : std::int64_t{2} << 30);
    }
  } catch (const tune::Error& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  return 0;
}
