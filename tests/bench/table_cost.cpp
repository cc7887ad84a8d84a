// The cost of a trace's tables: nesting and every table over the rows of one trace.

#include "base/clock.h"
#include "trace/metric/trace_input.h"
#include "trace/table/tables.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

namespace metric = tune::metric;
namespace profile = tune::profile;
namespace table = tune::table;
using profile::Category;
using tune::monotonic_ns;

constexpr int kOperatorsPerStep = 500;  // each with six rows

void add(profile::Timeline& timeline,
         Category category,
         const std::string& name,
         std::int64_t start_ns,
         std::int64_t duration_ns) {
  profile::Event event;
  event.start_ns = start_ns;
  event.duration_ns = duration_ns;
  event.name = timeline.strings.intern(name);
  event.category = category;
  event.track = profile::is_device_work(category) ? 1 : 0;
  timeline.events.push_back(event);
}

// A linear layer: three nested operators, an allocation, a launch and its kernel.
void add_layer(profile::Timeline& timeline, std::int64_t start_ns, std::int64_t number) {
  const std::string width = std::to_string(64 << number % 5);
  add(timeline, Category::cpu_op, "aten::linear", start_ns, 100'000);
  add(timeline, Category::cpu_op, "aten::t", start_ns + 5'000, 10'000);
  add(timeline, Category::cpu_op, "aten::addmm", start_ns + 20'000, 70'000);
  timeline.events.back().detail = static_cast<std::uint32_t>(timeline.ops.size());
  timeline.ops.push_back(
      {.input_dims = timeline.strings.intern("[[8],[4," + width + "],[" + width + ",8],[],[]]")});
  add(timeline, Category::runtime, "cudaLaunchKernel", start_ns + 40'000, 10'000);
  timeline.events.back().correlation = number;
  add(timeline, Category::kernel, "gemm_" + width, start_ns + 60'000, 80'000);
  timeline.events.back().correlation = number;
  timeline.events.back().detail = static_cast<std::uint32_t>(timeline.kernels.size());
  timeline.kernels.push_back({.blocks_per_sm = 1, .occupancy_ratio = 0.5F});
  for (const std::int64_t bytes : {4096, -4096}) {
    timeline.memory.push_back({.time_ns = start_ns + 30'000 + (bytes < 0 ? 50'000 : 0),
                               .bytes = bytes,
                               .address = number % 64,
                               .device_type = 1,
                               .device = 0});
  }
}

profile::Timeline made_timeline(std::int64_t rows) {
  profile::Timeline timeline;
  timeline.tracks.resize(2);
  timeline.tracks[1].is_device = true;
  std::int64_t at_ns = 0;
  for (std::int64_t step = 0; static_cast<std::int64_t>(timeline.events.size()) < rows; ++step) {
    constexpr std::int64_t kLayerNs = 150'000;
    add(timeline,
        Category::user_annotation,
        "ProfilerStep#" + std::to_string(step),
        at_ns,
        kOperatorsPerStep * kLayerNs);
    for (int i = 0; i < kOperatorsPerStep; ++i, at_ns += kLayerNs) {
      add_layer(timeline, at_ns, step * kOperatorsPerStep + i + 1);
    }
  }
  return timeline;
}

double ms_since(std::int64_t start_ns) {
  return static_cast<double>(monotonic_ns() - start_ns) * 1e-6;
}

}  // namespace

int main(int argc, char** argv) {
  const profile::Timeline timeline = made_timeline(argc > 1 ? std::atoll(argv[1]) : 100'000);
  const metric::TraceInput examined = metric::examine(timeline);
  std::int64_t start_ns = monotonic_ns();
  const table::HostTree tree = table::nest_host_rows(timeline);
  const auto issuing_row = table::issuing_rows(timeline, tree, examined.launches);
  double sum_ms = ms_since(start_ns);
  const table::TableInput input = {timeline,
                                   examined.partition,
                                   examined.launches,
                                   examined.kind_of,
                                   examined.runtime,
                                   examined.critical_path,
                                   tree,
                                   issuing_row};
  std::printf("%zu rows, %zu of memory\n%-16s %8.2f ms\n",
              timeline.events.size(),
              timeline.memory.size(),
              "nesting",
              sum_ms);
  for (const std::string& name : table::table_names()) {
    start_ns = monotonic_ns();
    const table::Table table = table::make_table(input, name);
    const double ms = ms_since(start_ns);
    sum_ms += ms;
    std::printf("%-16s %8.2f ms  %zu rows\n", name.c_str(), ms, table.rows.size());
  }
  std::printf("%-16s %8.2f ms\n", "all", sum_ms);
  return 0;
}
