// The cost of `tune history`: makes a history of many runs in a new folder, then reads it as the
// command does. Afterwards `TUNE_DATA_DIR=FOLDER tune history` can be timed as a whole.
//
//     history_cost FOLDER [RUNS]

#include "base/clock.h"
#include "base/error.h"
#include "measure/history/store.h"
#include "measure/history/trend.h"
#include "report/trend_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

namespace history = tune::history;
namespace report = tune::report;

constexpr int kTimes = 21;
constexpr double kMillion = 1e6;
constexpr int kScenarios = 8, kMachines = 2, kTexts = 3;

double ms_since(std::int64_t start_ns) {
  return static_cast<double>(tune::monotonic_ns() - start_ns) / kMillion;
}

// The median of several calls, ms.
template <class Call>
double cost_ms(Call call) {
  std::vector<double> spent;
  for (int i = 0; i < kTimes; ++i) {
    const std::int64_t start_ns = tune::monotonic_ns();
    call();
    spent.push_back(ms_since(start_ns));
  }
  std::nth_element(spent.begin(), spent.begin() + kTimes / 2, spent.end());
  return spent[kTimes / 2];
}

history::Measure measure(const char* name, const char* unit, double value) {
  history::Measure made;
  made.name = name;
  made.unit = unit;
  made.value = value;
  made.lower = value * 0.99;
  made.upper = value * 1.01;
  made.n = 6;
  return made;
}

// Every eighth of a scenario's life begins a new level; the noise is 1 %.
double rate_of(int number, int runs) {
  const double level = 100 + 5 * (number * 8 / runs % 3);
  return level * (1 + 0.01 * std::sin(number * 12.9898) * std::cos(number * 78.233));
}

// "2020-01-01T00:00:00Z" and so on, one per minute.
std::string start_of(int number) {
  char text[40];
  const int minute = number % 60, hour = number / 60 % 24, day = number / 1440 % 28 + 1;
  const int month = number / 40'320 % 12 + 1, year = 2020 + number / 483'840;
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:00Z", year, month, day, hour, minute);
  return text;
}

history::Entry made_entry(int number, int runs) {
  history::Entry entry;
  entry.kind = number % 4 == 0 ? "gate" : "run";
  entry.scenario = "scenario-" + std::to_string(number % kScenarios);
  entry.machine =
      std::to_string(2 << (number / kScenarios % kMachines)) + " CPUs Intel(R) Xeon(R) Processor";
  entry.subject = "text-" + std::to_string(number * kTexts / runs);
  entry.started_utc = start_of(number);
  entry.elapsed_s = 600;
  entry.directory = "/home/somebody/project/tune-runs/run-" + std::to_string(number);
  entry.setting = "amp=bf16 num_workers=2";
  entry.verdict = "faster";
  entry.headline = "amp=bf16 num_workers=2 is +31.0 % [+28.0, +34.0] % faster than the baseline";
  entry.tune_version = "0.1.0";
  entry.commit = "0123456789ab";
  entry.torch_version = "2.11.0";
  entry.worker_sha256 = std::string(64, 'a');
  const double rate = rate_of(number, runs);
  entry.measures = {measure("throughput", "samples/s", rate),
                    measure("best_throughput", "samples/s", rate * 1.31),
                    measure("gain", "ratio", 0.31),
                    measure("step_time", "s", 32 / rate),
                    measure("epoch_time", "s", 2000 / rate),
                    measure("peak_memory_bytes", "B", 1e9)};
  entry.key = history::entry_key(entry);
  return entry;
}

// What the command prints for each series.
std::size_t text_of(const std::vector<history::Series>& all) {
  constexpr std::size_t kColumns = 60;
  std::string text;
  for (const history::Series& series : all) {
    text += report::sparkline(report::values_of(series), kColumns) + report::range_sentence(series);
    for (const history::Change& change : history::trend_of(series.points).changes) {
      text += report::change_sentence(series, change);
    }
  }
  return text.size();
}

int measure_costs(const std::filesystem::path& folder, int runs) {
  const history::StoreOpening opening{.data_folder = folder, .utc = "2026-11-22T00:00:00Z"};
  std::vector<history::Entry> entries;
  for (int i = 0; i < runs; ++i) {
    entries.push_back(made_entry(i, runs));
  }
  std::int64_t start_ns = tune::monotonic_ns();
  const std::int64_t added = history::Store::open_to_write(opening).add(entries);
  std::printf("%lld runs added     %8.1f ms\n", static_cast<long long>(added), ms_since(start_ns));
  if (added != runs) {
    std::fprintf(stderr, "%s: already contains a history\n", folder.c_str());
    return 2;
  }
  std::size_t letters = 0, count = 0;
  const double all_ms = cost_ms([&] {
    const auto store = history::Store::open_to_read(opening);
    const std::vector<history::Series> series = store->series({});
    count = series.size();
    letters = text_of(series);
  });
  std::printf("%zu series, %zu letters\n", count, letters);
  std::printf("open, read, trends   %8.1f ms\n", all_ms);
  std::printf("open, read           %8.1f ms\n",
              cost_ms([&] { history::Store::open_to_read(opening)->series({}); }));
  std::printf("open, newest 20      %8.1f ms\n",
              cost_ms([&] { history::Store::open_to_read(opening)->entries({.limit = 20}); }));
  std::printf("open, one run more   %8.1f ms\n", cost_ms([&] {
                history::Store::open_to_write(opening).add({made_entry(runs, runs)});
              }));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: history_cost FOLDER [RUNS]\n");
    return 2;
  }
  try {
    return measure_costs(argv[1], argc > 2 ? std::max(1, std::atoi(argv[2])) : 10'000);
  } catch (const tune::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
