// Whole campaigns and whole gates on simulated machines, in full: everything except the processes.
// The short versions, with their limits, are in tests/simulation.
//
//   campaign_simulation [RUNS] A/A gates per environment and campaigns of equal cells, 1000; a
//   fifth of that for everything else

#include "base/stats/counts.h"
#include "base/stats/quantile.h"
#include "campaign_figures.h"
#include "measure/campaign/summarise.h"
#include "run_campaign.h"
#include "run_gate.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace tune::simulation;  // NOLINT(google-build-using-namespace): a program about it
using tune::campaign::CampaignResult;
using tune::noise::Environment;
using tune::stats::GateVerdict;
using Shape = std::vector<std::size_t>;

const std::vector<Shape> kShapes = {{3, 2, 2, 2}, {3, 3, 2, 2}, {4, 3, 2, 2}, {4, 4, 2, 2}};

CampaignResult run(const KnownGrid& known) {
  tune::fake::InProcessWorker worker(known.script);
  return run_campaign(known.scenario, worker);
}

std::size_t cells_of(const Shape& shape) {
  std::size_t cells = 1;
  for (const std::size_t levels : shape) {
    cells *= levels;
  }
  return cells;
}

void print_equal_cells(std::size_t runs) {
  std::printf(
      "## Equal cells, one round of all, then fresh pairs (%zu campaigns)\n\n"
      "| cells, spread of processes | best of the search: median, > 3 %% | printed as a gain | at "
      "most "
      "(95 %%) |\n|---|---|---|---|\n",
      runs);
  for (const Shape& shape : {kShapes[0], kShapes[2]}) {
    for (const double sd : {0.01, 0.02}) {
      const Environment environment{.name = "even", .process_sd = sd};
      std::vector<double> best;
      std::int64_t printed = 0;
      for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        const CampaignResult result =
            run(known_grid(tune::search::simulated_grid("equal", shape, 1),
                           environment,
                           seed,
                           "strategy: grid, confirm: 1",
                           "warmup: 2s, rounds: 1, slices: 3"));
        best.push_back(best_of_search(result));
        printed += is_printed_as_a_gain(result) ? 1 : 0;
      }
      const auto above =
          std::count_if(best.begin(), best.end(), [](double gain) { return gain > 0.03; });
      const double bound = tune::stats::false_alarm_bound(printed, static_cast<std::int64_t>(runs));
      std::printf("| %s, %.0f %% | %+.1f %%, %.0f %% | %s | %.2f %% |\n",
                  std::to_string(cells_of(shape)).c_str(),
                  100 * sd,
                  100 * tune::stats::quantile(best, 0.5),
                  100 * static_cast<double>(above) / static_cast<double>(runs),
                  std::to_string(printed).c_str(),
                  100 * bound);
      std::fflush(stdout);
    }
  }
}

void print_searches(std::size_t runs) {
  std::printf(
      "\n## Guided campaigns, 24 to 64 cells (%zu of each size)\n\n"
      "| grid, machine | pick >= 95 %% of the best | 5th percentile | measured seconds: median, "
      "p95 | "
      "<= 25 %% |\n|---|---|---|---|---|\n",
      runs);
  for (const char* family : {"pipeline", "pairs", "additive", "deceptive"}) {
    for (const Environment& environment : {tune::noise::quiet(),
                                           tune::noise::drifting(),
                                           tune::noise::shared(),
                                           tune::noise::bimodal(tune::noise::quiet())}) {
      std::vector<double> quality, share;
      for (const Shape& shape : kShapes) {
        for (std::uint64_t seed = 1; seed <= runs; ++seed) {
          const auto grid =
              tune::search::simulated_grid(family, shape, seed * 1000 + cells_of(shape));
          const KnownGrid known =
              known_grid(grid, environment, seed, "strategy: guided, confirm: 3");
          const CampaignResult result = run(known);
          quality.push_back(quality_of_pick(known, result));
          share.push_back(measured_share(result));
        }
      }
      const auto percent = [&](auto holds) {
        return 100 * static_cast<double>(holds) / static_cast<double>(quality.size());
      };
      std::printf(
          "| %s, %s | %.1f %% | %.1f %% | %.1f %%, %.1f %% | %.1f %% |\n",
          family,
          environment.name.c_str(),
          percent(std::count_if(quality.begin(), quality.end(), [](double q) { return q >= .95; })),
          100 * tune::stats::quantile(quality, 0.05),
          100 * tune::stats::quantile(share, 0.5),
          100 * tune::stats::quantile(share, 0.95),
          percent(std::count_if(share.begin(), share.end(), [](double s) { return s <= .25; })));
      std::fflush(stdout);
    }
  }
}

void print_gate_cell(const Environment& environment,
                     double budget,
                     double slowdown,
                     std::size_t runs) {
  double regressed = 0, inconclusive = 0, pairs = 0;
  const double one = 1 / static_cast<double>(runs);
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    tune::fake::InProcessWorker worker(gate_machine(environment, seed, slowdown));
    const auto result = run_gate(throughput_gate(budget), worker, seed);
    regressed += result.verdict == GateVerdict::regressed ? one : 0;
    inconclusive += result.verdict == GateVerdict::inconclusive ? one : 0;
    pairs += one * static_cast<double>(result.pairs.size());
  }
  std::printf(" %.1f / %.1f / %.1f |", 100 * regressed, 100 * inconclusive, pairs);
  std::fflush(stdout);
}

void print_gates(std::size_t runs) {
  std::printf(
      "\n## Whole gates (%zu A/A, %zu others): REGRESSED %% / INCONCLUSIVE %% / mean pairs\n\n"
      "| environment, budget | A/A | +2 %% | +3 %% | +5 %% | +7 %% |\n|---|---|---|---|---|---|\n",
      runs,
      runs / 5);
  const auto print_row = [&](const Environment& environment, double budget) {
    std::printf("| %s, %.0f %% |", environment.name.c_str(), 100 * budget);
    for (const double slowdown : {0.0, 0.02, 0.03, 0.05, 0.07}) {
      print_gate_cell(environment, budget, slowdown, slowdown == 0 ? runs : runs / 5);
    }
    std::printf("\n");
  };
  for (const Environment& environment : tune::noise::all_environments()) {
    print_row(environment, 0.03);
  }
  print_row(tune::noise::shared(), 0.05);
}

void print_budgets(std::size_t runs) {
  std::printf(
      "\n## Budgets, 48 cells of a pipeline, a drifting machine (%zu campaigns each)\n\n"
      "| budget | used at most | a verdict | exit 0 |\n|---|---|---|---|\n",
      runs);
  for (const int budget_s : {30, 60, 120, 180, 240, 300, 450, 600}) {
    double most = 0, judged = 0, fine = 0;
    const double one = 1 / static_cast<double>(runs);
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      const CampaignResult result = run(
          known_grid(tune::search::simulated_grid("pipeline", kShapes[2], seed),
                     tune::noise::drifting(),
                     seed,
                     "strategy: guided, confirm: 2, budget: " + std::to_string(budget_s) + "s"));
      most = std::max(most, static_cast<double>(result.elapsed_ns) * 1e-9 / budget_s);
      judged += result.confirmation && !result.confirmation->verdict.empty() ? one : 0;
      fine += exit_code(result) == tune::ExitCode::fine ? one : 0;
    }
    std::printf(
        "| %d s | %.1f %% | %.0f %% | %.0f %% |\n", budget_s, 100 * most, 100 * judged, 100 * fine);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long wanted = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 1000;
  const auto runs = static_cast<std::size_t>(std::max(5L, wanted));
  print_equal_cells(runs);
  print_budgets(runs / 5);
  print_searches(runs / 20);
  print_gates(runs);
}
