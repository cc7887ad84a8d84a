// The results and the cost of the guided search, on simulated grids or on recorded tables.
//
//   search_simulation [SEEDS [TRIALS]]     families x noise x sizes, 200 seeds each; a search ends
//                                          after so many trials, as if its budget were used up
//   search_simulation --table FILE [SEEDS] on a recorded table: trials until 95 % of the best
//   search_simulation --decide [SEEDS] the cost of one decision on grids of 48, 200 and 500 cells
//   search_simulation --write FAMILY SEED one of the simulated grids (4 x 3 x 2 x 2) as a
//   table

#include "base/stats/quantile.h"
#include "simulated_grid.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace tune::search;  // NOLINT(google-build-using-namespace): a program about one folder

constexpr double kGood = 0.95;

// What a campaign would recommend after pairs of the candidates: the best, or the one with the
// fewest changes that is behind it by at most 1 % or one standard error (confirmation_result.cpp).
std::size_t pick_of(const SimulatedGrid& grid,
                    const tune::noise::Environment& noise,
                    const Policy& policy,
                    const SearchRun& run) {
  constexpr std::size_t kRounds = 8;
  SimulatedMachine machine(grid, noise, policy.seed * 104729 + 5);
  const std::vector<std::size_t>& cells = run.last.candidates;
  std::vector<std::vector<double>> scores(cells.size());
  for (std::size_t round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      scores[i].push_back(machine.score(cells[i], policy.slices));
    }
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    best = tune::stats::median(scores[i]) > tune::stats::median(scores[best]) ? i : best;
  }
  std::size_t pick = best;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::vector<double> behind;
    behind.reserve(kRounds);
    for (std::size_t round = 0; round < kRounds; ++round) {
      behind.push_back(scores[best][round] - scores[i][round]);
    }
    const bool as_good = tune::stats::median(behind) <=
                         std::max(std::log1p(0.01), tune::stats::standard_error_of_median(behind));
    if (as_good && changed_knobs(grid.space, cells[i]) < changed_knobs(grid.space, cells[pick])) {
      pick = i;
    }
  }
  return cells.empty() ? 0 : cells[pick];
}

struct Tally {
  std::vector<double> quality, idle, found, share, wall_share, trial_share, trials, seconds;

  void add(const SimulatedGrid& grid,
           const Policy& policy,
           const SearchRun& run,
           std::size_t pick,
           double cpu_s) {
    const double whole = whole_slices(grid, policy);
    const auto cells = static_cast<double>(grid.space.cells.size());
    const auto rounds = static_cast<double>(policy.rounds);
    const double whole_wall = cells * rounds * (3 + static_cast<double>(policy.slices));
    double best = grid.quality(0);
    for (const std::size_t cell : run.last.candidates) {
      best = std::max(best, grid.quality(cell));
    }
    quality.push_back(grid.quality(pick));
    if (grid.quality(0) < kGood) {  // else a change without effect is all that there is
      idle.push_back(static_cast<double>(grid.idle_changes(pick)));
    }
    found.push_back(best);
    share.push_back(static_cast<double>(run.slices) / whole);
    wall_share.push_back(run.wall_s / whole_wall);
    trials.push_back(static_cast<double>(run.measurements.size()));
    trial_share.push_back(trials.back() / (cells * rounds));
    seconds.push_back(cpu_s);
  }

  void print(const std::string& name) const {
    const auto at = [](const std::vector<double>& values, double ratio) {
      return tune::stats::quantile(values, ratio);
    };
    const auto good = [](const std::vector<double>& values) {
      return 100.0 *
             static_cast<double>(std::count_if(
                 values.begin(), values.end(), [](double value) { return value >= kGood; })) /
             static_cast<double>(values.size());
    };
    std::printf(
        "%-28s %5.1f %6.1f  %5.1f %5.1f %5.1f  %5.1f %5.1f  %5.1f %5.1f  %5.1f %4.0f  %4.2f\n",
        name.c_str(),
        good(quality),
        good(found),
        100 * at(quality, 0.01),
        100 * at(quality, 0.05),
        100 * at(quality, 0.5),
        100 * at(share, 0.5),
        100 * at(share, 0.95),
        100 * at(wall_share, 0.5),
        100 * at(wall_share, 0.95),
        100 * at(trial_share, 0.5),
        at(trials, 0.5),
        std::accumulate(idle.begin(), idle.end(), 0.0) /
            static_cast<double>(std::max<std::size_t>(1, idle.size())));
  }
};

void print_heading() {
  std::printf(
      "                                  >= 95 %% of best    pick, %% of best  seconds, %%   wall, "
      "%%    trials       idle\n"
      "family noise cells             pick  any of 2   p1    p5   p50    p50   p95    p50   p95   "
      " %%  number  changes\n");
}

double timed(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// As large as the space of launch lines.
const std::vector<std::size_t> kManyKnobs = {3, 3, 2, 2, 2, 2, 2};

int simulate(std::size_t seeds, std::size_t most_trials) {
  print_heading();
  double slowest_s = 0;
  for (const std::string& family : families()) {
    std::vector<std::vector<std::size_t>> shapes = {
        {3, 2, 2, 2}, {3, 3, 2, 2}, {4, 3, 2, 2}, {4, 2, 2, 2, 2}};
    if (family == "sparse") {
      shapes.push_back(kManyKnobs);
    }
    for (const auto& noise :
         {tune::noise::quiet(), tune::noise::drifting(), tune::noise::shared()}) {
      Tally all;
      for (const auto& shape : shapes) {
        Tally tally;
        for (std::size_t seed = 1; seed <= seeds; ++seed) {
          const SimulatedGrid grid = simulated_grid(family, shape, seed * 1000 + shape.size());
          const Policy policy{.seed = seed, .wanted = 2};
          SearchRun run;
          const double cpu_s = timed([&] { run = run_search(grid, noise, policy, most_trials); });
          slowest_s = std::max(slowest_s, cpu_s);
          const std::size_t pick = pick_of(grid, noise, policy, run);
          tally.add(grid, policy, run, pick, cpu_s);
          all.add(grid, policy, run, pick, cpu_s);
        }
        std::size_t cells = 1;
        for (const std::size_t levels : shape) {
          cells *= levels;
        }
        tally.print(family + " " + noise.name + " " + std::to_string(cells));
      }
      all.print(family + " " + noise.name + " all");
      std::fflush(stdout);
    }
  }
  std::printf("slowest search: %.2f s of deciding\n", slowest_s);
  return 0;
}

int replay(const std::string& path, std::size_t seeds) {
  const SimulatedGrid grid = read_table(path);
  for (const auto& noise :
       {tune::noise::Environment{.name = "none"}, tune::noise::quiet(), tune::noise::shared()}) {
    for (const Strategy strategy : {Strategy::guided, Strategy::random}) {
      std::vector<double> trials, slices, cells, quality, all_trials;
      for (std::size_t seed = 1; seed <= seeds; ++seed) {
        const bool is_random = strategy == Strategy::random;  // also with trials of one slice
        const SearchRun run = run_search(
            grid, noise, {.strategy = strategy, .seed = seed, .slices = is_random ? 1 : 5});
        std::int64_t slices_so_far = 0;
        std::size_t i = 0;
        while (i < run.measurements.size()) {
          slices_so_far += run.measurements[i].slices;
          if (grid.quality(run.measurements[i++].cell) >= kGood) {
            break;
          }
        }
        trials.push_back(static_cast<double>(i));
        slices.push_back(static_cast<double>(slices_so_far));
        quality.push_back(grid.quality(run.pick));
        all_trials.push_back(static_cast<double>(run.measurements.size()));
      }
      const auto at = [](const std::vector<double>& values, double ratio) {
        return tune::stats::quantile(values, ratio);
      };
      std::printf(
          "%-9s %-7s trials to 95 %%: median %.0f p90 %.0f; seconds: median %.0f p90 %.0f; "
          "whole search: %.0f trials, pick p5 %.1f %% median %.1f %%\n",
          noise.name.c_str(),
          strategy == Strategy::guided ? "guided" : "random",
          at(trials, 0.5),
          at(trials, 0.9),
          at(slices, 0.5),
          at(slices, 0.9),
          at(all_trials, 0.5),
          100 * at(quality, 0.05),
          100 * at(quality, 0.5));
    }
  }
  return 0;
}

// Called after every trial, as in a campaign.
int decide(std::size_t seeds) {
  std::printf("cells   decisions   CPU ms: median    p95    max\n");
  for (const auto& shape :
       std::vector<std::vector<std::size_t>>{{4, 3, 2, 2}, {5, 5, 4, 2}, {5, 5, 5, 2, 2}}) {
    std::vector<double> all_ms;
    std::size_t cells = 0;
    for (std::size_t seed = 1; seed <= seeds; ++seed) {
      const SimulatedGrid grid = simulated_grid("pipeline", shape, seed);
      const Policy policy{.seed = seed};
      cells = grid.space.cells.size();
      const SearchRun run = run_search(grid, tune::noise::shared(), policy);
      std::vector<Measurement> so_far;
      for (const Measurement& measurement : run.measurements) {
        const std::clock_t begin = std::clock();  // of the CPU: the machine may be busy
        next_decision(grid.space, so_far, policy);
        all_ms.push_back(1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
        so_far.push_back(measurement);
      }
    }
    std::printf("%5zu   %9zu   %14.1f  %5.1f  %5.1f\n",
                cells,
                all_ms.size(),
                tune::stats::quantile(all_ms, 0.5),
                tune::stats::quantile(all_ms, 0.95),
                *std::max_element(all_ms.begin(), all_ms.end()));
  }
  return 0;
}

int write(const std::string& family, std::uint64_t seed) {
  const SimulatedGrid grid = simulated_grid(family, {4, 3, 2, 2}, seed);
  std::printf("# simulated: search_simulation --write %s %s\n",
              family.c_str(),
              std::to_string(seed).c_str());
  for (const Axis& axis : grid.space.axes) {
    std::printf("%s,", axis.knob.c_str());
  }
  std::printf("rate\n");
  for (std::size_t cell = 0; cell < grid.space.cells.size(); ++cell) {
    for (std::size_t axis = 0; axis < grid.space.axes.size(); ++axis) {
      std::printf("%s,", grid.space.axes[axis].values[grid.space.cells[cell][axis]].c_str());
    }
    std::printf("%.6f\n", std::exp(grid.log_rate[cell]));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (!arguments.empty() && arguments[0] == "--table" && arguments.size() > 1) {
      return replay(arguments[1], arguments.size() > 2 ? std::stoul(arguments[2]) : 200);
    }
    if (!arguments.empty() && arguments[0] == "--decide") {
      return decide(arguments.size() > 1 ? std::stoul(arguments[1]) : 5);
    }
    if (arguments.size() == 3 && arguments[0] == "--write") {
      return write(arguments[1], std::stoull(arguments[2]));
    }
    return simulate(arguments.empty() ? 200 : std::stoul(arguments[0]),
                    arguments.size() > 1 ? std::stoul(arguments[1]) : 1'000'000);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "search_simulation: %s\n", error.what());
    return 2;
  }
}
