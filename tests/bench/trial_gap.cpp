// A campaign's own time between the end of one trial and the start of the next, as the number of
// trials grows: trials that take no time, in a folder in memory. Prints the mean of every tenth of
// the campaign, and the last tenth relative to the first.
//
//   trial_gap [TRIALS] about this many in each campaign, 3300

#include "fake_campaign.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace tune;  // NOLINT(google-build-using-namespace): a program about it
using Clock = std::chrono::steady_clock;

struct Campaign {
  const char* name;
  std::size_t cells;
  std::int64_t rounds;
  const char* search;
};

// A grid of two knobs: threads and batches.
std::string text_of(const Campaign& campaign) {
  const auto list = [](std::size_t count, std::size_t first) {
    std::string values;
    for (std::size_t i = 0; i < count; ++i) {
      values += (values.empty() ? "" : ", ") + std::to_string(first + i);
    }
    return values;
  };
  const std::size_t threads = std::min<std::size_t>(campaign.cells, 18);
  const std::size_t batches = (campaign.cells + threads - 1) / threads;
  return "tune: 1\nname: fake\n"
         "workload: {model: mlp, task: train, image_size: 32, classes: 10}\n"
         "data: {source: synthetic, samples: 6400}\n"
         "baseline: {intra_op_threads: 1, batch_size: 8}\n"
         "grid:\n  intra_op_threads: [" +
         list(threads, 1) + "]\n  batch_size: [" + list(batches, 8) +
         "]\nmeasure: {warmup: 2s, rounds: " + std::to_string(campaign.rounds) +
         ", slices: 5}\nsearch: {" + campaign.search + "}\n";
}

void print(const Campaign& campaign, std::size_t most) {
  const campaign::TestFolder folder;
  campaign::FakeCampaign run(folder.path(), text_of(campaign));
  campaign::FakeMachine machine;
  machine.noise_ratio = 0.02;
  std::vector<double> gaps_ms;
  Clock::time_point ended;
  std::atomic<int> stop = 0;
  machine.before = [&](const trial::TrialSpec&) {
    const std::chrono::duration<double, std::milli> gap = Clock::now() - ended;
    gaps_ms.push_back(gap.count());
    stop = gaps_ms.size() > most ? 1 : 0;
  };
  run.after_trial = [&] { ended = Clock::now(); };
  const std::string reason = run.sit(machine, &stop);
  const std::size_t tenth = gaps_ms.size() / 10;
  std::printf("%s: %zu trials, %s\n ", campaign.name, gaps_ms.size(), reason.c_str());
  std::vector<double> means;
  for (std::size_t part = 0; part < 10 && tenth > 0; ++part) {
    double sum = 0;
    for (std::size_t i = std::max<std::size_t>(1, part * tenth); i < (part + 1) * tenth; ++i) {
      sum += gaps_ms[i];
    }
    means.push_back(sum / static_cast<double>(tenth));
    std::printf(" %.2f", means.back());
  }
  if (!means.empty()) {
    std::printf(" ms; last tenth against the first: %.1f\n", means.back() / means.front());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t most = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3300;
  for (const Campaign& campaign :
       {Campaign{"guided, 10 cells (all are measured), many rounds", 10, 330, "strategy: guided"},
        Campaign{"grid, 36 cells, many rounds", 36, 92, "strategy: grid, confirm: 1"},
        Campaign{"grid, 1,098 cells", 1098, 3, "strategy: grid, confirm: 1"},
        Campaign{"grid, 1,098 cells, a budget", 1098, 3, "strategy: grid, budget: 1000h"},
        Campaign{"random, 1,098 cells", 1098, 3, "strategy: random, budget: 1000h"},
        Campaign{"guided, 216 cells", 216, 15, "strategy: guided"}}) {
    print(campaign, most);
  }
}
