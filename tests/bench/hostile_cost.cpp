// The cost of traces that are large in only one way (tests/trace/hostile_traces.h): each is read,
// examined, put into tables and written as result.json and report.html, with `rows` rows, twice and
// four times as many. Next to each step the factor for four times the rows: about 4.
//
//     hostile_cost [rows]                     default 50,000
//     hostile_cost --write <file> <shape> <rows>

#include "advice/rule/trace_facts.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "hostile_traces.h"
#include "report/trace_json.h"
#include "report/trace_pages.h"
#include "trace/metric/trace_metrics.h"
#include "trace/table/tables.h"
#include "trace_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

namespace {

namespace metric = tune::metric;
namespace profile = tune::profile;
namespace report = tune::report;
namespace table = tune::table;

constexpr std::size_t kStages = 4;
using Costs = std::array<double, kStages>;  // CPU time, ms

class Stages {
 public:
  void end() {
    const std::int64_t now_ns = tune::thread_cpu_ns();
    costs.at(next_++) = static_cast<double>(now_ns - since_ns_) * 1e-6;
    since_ns_ = tune::thread_cpu_ns();
  }
  Costs costs{};

 private:
  std::size_t next_ = 0;
  std::int64_t since_ns_ = tune::thread_cpu_ns();
};

Costs costs_of(const std::string& json) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  Stages stages;
  const profile::Timeline timeline = profile::read_trace(
      std::make_unique<profile::MemorySource>(json, kAtOnce), "trace", {.with_python = true});
  stages.end();
  const metric::TraceInput input = metric::examine(timeline);
  report::TraceAnalysis analysis{.input = input, .metrics = metric::trace_metrics(input)};
  tune::rule::facts_of_trace(input, analysis.metrics);
  stages.end();
  analysis.tables = table::all_tables(metric::table_input(input));
  stages.end();
  report::to_trace_json(analysis);
  report::to_trace_html(analysis);
  stages.end();
  return stages.costs;
}

void measure(const profile::HostileShape& shape, std::int64_t rows) {
  std::array<Costs, 3> costs{};
  double megabytes = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const std::string json = profile::hostile_json(shape, rows << i);
    megabytes = static_cast<double>(json.size()) * 1e-6;
    costs.at(i) = costs_of(json);
  }
  std::printf("%-18s %6.1f MB", shape.name, megabytes);
  for (std::size_t stage = 0; stage < kStages; ++stage) {
    const double least = std::max(costs.front().at(stage), 0.001);
    std::printf(" %9.1f ms x%-5.1f", costs.back().at(stage), costs.back().at(stage) / least);
  }
  std::printf("\n");
}

int write(const std::string& file, std::string_view name, std::int64_t rows) {
  for (const profile::HostileShape& shape : profile::hostile_shapes()) {
    if (shape.name == name) {
      tune::write_file_synced(file, profile::hostile_json(shape, rows));
      return 0;
    }
  }
  std::cerr << "no shape is called " << name << '\n';
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 5 && std::string_view(argv[1]) == "--write") {
      return write(argv[2], argv[3], std::atoll(argv[4]));
    }
    std::printf("%-18s %9s %20s %20s %20s %20s\n",
                "largest of three",
                "JSON",
                "read",
                "examine, facts",
                "tables",
                "reports");
    for (const profile::HostileShape& shape : profile::hostile_shapes()) {
      measure(shape, argc > 1 ? std::atoll(argv[1]) : 50'000);
    }
  } catch (const tune::Error& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  return 0;
}
