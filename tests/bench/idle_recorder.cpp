// What a recorder costs a measured window while it is there and off: rounds of trials of the real
// worker in random order, one that will record a step after its measured window and two that will
// not. The two alike are the control: what they differ by is noise. With --against there is one
// more trial in each round, of another worker: one that was built without a recorder
// (-DTUNE_WITHOUT_RECORDER=ON), or of another commit.
//
//   idle_recorder [rounds] [--against OTHER_WORKER]
//
// Exit code 0: within 0.5 % of the control's side; 1: beyond; 3: too few rounds to say.

#include "base/seeded_order.h"
#include "runner/run_trial.h"
#include "stats/log_ratio.h"
#include "stats/signed_rank.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace tune::bench {

namespace {

namespace fs = std::filesystem;

constexpr double kAim = 0.005;    // the most that the throughput may differ
constexpr double kLevel = 0.025;  // of each bound: 95 % together
enum Way : std::size_t { kPlain, kControl, kIdle, kOther, kWays };

// Many small operators: whatever an idle recorder costs, it costs it here most.
trial::TrialSpec spec_of(const fs::path& folder, std::size_t way) {
  trial::TrialSpec spec;
  spec.id = "t";
  spec.cell = "c01";
  spec.workload.model = "mlp";
  spec.workload.image_size = 16;
  spec.workload.classes = 10;
  spec.workload.optimizer = "adamw";
  spec.data.samples = 1024;
  spec.knobs = trial::default_settings();
  spec.knobs["batch_size"] = std::int64_t{32};
  spec.knobs["intra_op_threads"] = std::int64_t{1};
  spec.measure = {.warmup_steps = 20,
                  .warmup_ns = 1'000'000'000,
                  .slices = 5,
                  .slice_ns = 400'000'000,
                  .slice_steps = 2};
  if (way == kIdle) {
    spec.profile.emplace();
    spec.profile->warmup = 0;
    spec.profile->active = 1;
  }
  spec.folder = (folder / spec.id).string();
  return spec;
}

double rate_of(std::size_t way, const fs::path& other) {
  const fs::path folder = fs::temp_directory_path() / ("idle_recorder." + std::to_string(getpid()));
  runner::RunOptions options;
  options.worker = way == kOther ? other : fs::path(WORKER_PROGRAM);
  const runner::TrialOutcome outcome = runner::run_trial(spec_of(folder, way), options);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  const auto rate = outcome.reply ? trial::throughput(*outcome.reply) : std::nullopt;
  if (!rate || *rate <= 0) {
    (void)std::fprintf(stderr, "a trial gave no rate: %s\n", outcome.reason.c_str());
    std::exit(1);
  }
  return *rate;
}

stats::LocationBounds print(const char* name, const std::vector<double>& log_ratios) {
  const stats::LocationBounds bounds = stats::location_bounds(log_ratios, kLevel);
  std::printf("%-32s %+.2f %% [%+.2f, %+.2f] %%, %zu rounds%s%s\n",
              name,
              stats::gain_of(bounds.estimate) * 100,
              stats::gain_of(bounds.lower) * 100,
              stats::gain_of(bounds.upper) * 100,
              log_ratios.size(),
              bounds.warning.empty() ? "" : ": ",
              bounds.warning.c_str());
  return bounds;
}

int verdict(const char* name, const std::vector<double>& log_ratios) {
  const stats::LocationBounds found = print(name, log_ratios);
  const double low = stats::gain_of(found.lower), high = stats::gain_of(found.upper);
  if (low >= -kAim && high <= kAim) {
    std::printf("no difference above %.1f %%\n", kAim * 100);
    return 0;
  }
  const bool is_beyond = high < -kAim || low > kAim;
  std::printf("%s\n", is_beyond ? "it costs more than the aim" : "not known: more rounds");
  return is_beyond ? 1 : 3;
}

int compare(int rounds, const fs::path& other) {
  const std::size_t ways = other.empty() ? kOther : kWays;
  std::vector<double> idle, control, against;
  for (std::vector<double>* const ratios : {&idle, &control, &against}) {
    ratios->reserve(static_cast<std::size_t>(rounds));
  }
  for (int round = 0; round < rounds; ++round) {
    std::array<double, kWays> rates{};
    for (const std::size_t way : seeded_order(ways, 1, "round", round)) {
      rates[way] = rate_of(way, other);
    }
    idle.push_back(stats::log_ratio(rates[kIdle], rates[kPlain]));
    control.push_back(stats::log_ratio(rates[kControl], rates[kPlain]));
    if (!other.empty()) {
      against.push_back(stats::log_ratio(rates[kIdle], rates[kOther]));
    }
  }
  (void)print("control: none on both sides", control);
  const int present = verdict("recorder present and idle", idle);
  return other.empty() ? present
                       : std::max(present, verdict("the same against the other worker", against));
}

}  // namespace

}  // namespace tune::bench

int main(int argc, char** argv) {
  int rounds = 24;
  std::filesystem::path other;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--against" && i + 1 < argc) {
      other = argv[++i];
    } else if (std::atoi(word.c_str()) > 0) {
      rounds = std::atoi(word.c_str());
    } else {
      (void)std::fputs("usage: idle_recorder [rounds] [--against OTHER_WORKER]\n", stderr);
      return 2;
    }
  }
  if (!other.empty() && !std::filesystem::exists(other)) {
    (void)std::fprintf(stderr, "%s: is not there (build it first)\n", other.c_str());
    return 2;
  }
  return tune::bench::compare(rounds, other);
}
