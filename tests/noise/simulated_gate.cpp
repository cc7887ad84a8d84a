#include "simulated_gate.h"

#include "base/stats/quantile.h"

#include <cmath>

namespace tune::noise {

namespace {

constexpr double kSpike = 0.05;  // what a slice with a spike is above its neighbours at least

double log_time_of(std::vector<double> slices, RateRule rule) {
  const double middle = stats::median(slices);
  if (rule == RateRule::median) {
    return middle;
  }
  double sum = 0, count = 0;
  for (const double slice : slices) {
    if (rule == RateRule::sum || slice < middle + kSpike) {
      sum += std::exp(slice);
      count += 1;
    }
  }
  return std::log(sum / count);
}

double run_process(const GateSetting& setting, Machine& machine) {
  machine.start_process();
  std::vector<double> slices(setting.slices);
  for (double& slice : slices) {
    slice = machine.next_slice();
  }
  return log_time_of(std::move(slices), setting.rate);
}

}  // namespace

const char* to_string(RateRule rule) {
  switch (rule) {
    case RateRule::sum:
      return "sum";
    case RateRule::sum_without_spikes:
      return "sum, spikes tainted";
    case RateRule::median:
      return "median";
  }
  return "";
}

std::vector<double> simulate_pairs(const GateSetting& setting,
                                   std::size_t pairs,
                                   std::uint64_t seed) {
  Machine machine(setting.environment, seed);
  std::vector<double> differences;
  bool baseline_first = true;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    if (setting.ordering == Ordering::abba) {
      baseline_first = pair % 2 == 0 ? machine.random().chance(0.5) : !baseline_first;
    }
    const double first = run_process(setting, machine);
    const double second = run_process(setting, machine) + setting.second_log_ratio;
    const double measured = baseline_first ? second - first : first - second;
    differences.push_back(measured + std::log1p(setting.effect_ratio));
  }
  return differences;
}

GateEnd simulate_gate(const GateSetting& setting, std::uint64_t seed) {
  const stats::LookSchedule looks = stats::make_looks(stats::kGateAlpha, 1);
  const std::vector<double> all =
      simulate_pairs(setting, static_cast<std::size_t>(looks.pairs.back()), seed);
  GateEnd end;
  for (std::size_t i = 0; i < looks.pairs.size(); ++i) {
    end.pairs = looks.pairs[i];
    stats::Row row{.limits = setting.limits};
    row.differences.assign(all.begin(), all.begin() + end.pairs);
    end.verdict = stats::gate_verdicts({row}, {.schedule = looks, .index = i}).front().verdict;
    if (end.verdict != stats::GateVerdict::inconclusive) {
      break;
    }
  }
  return end;
}

bool any_row_regressed(const GateSetting& setting, std::size_t rows, std::uint64_t seed) {
  const stats::LookSchedule looks = stats::make_looks(stats::kGateAlpha, rows);
  std::vector<std::vector<double>> open;
  for (std::size_t row = 0; row < rows; ++row) {
    open.push_back(
        simulate_pairs(setting, static_cast<std::size_t>(looks.pairs.back()), seed * rows + row));
  }
  for (std::size_t i = 0; i < looks.pairs.size(); ++i) {
    std::vector<stats::Row> seen;
    for (const std::vector<double>& all : open) {
      seen.push_back(
          {.differences = {all.begin(), all.begin() + looks.pairs[i]}, .limits = setting.limits});
    }
    const auto answers = stats::gate_verdicts(seen, {.schedule = looks, .index = i});
    for (std::size_t row = answers.size(); row-- > 0;) {
      if (answers[row].verdict == stats::GateVerdict::regressed) {
        return true;
      }
      if (answers[row].verdict != stats::GateVerdict::inconclusive) {
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(row));
      }
    }
  }
  return false;
}

GateShares simulate_gates(const GateSetting& setting, std::size_t runs, std::uint64_t first_seed) {
  GateShares shares;
  const double one = 1 / static_cast<double>(runs);
  for (std::size_t run = 0; run < runs; ++run) {
    const GateEnd end = simulate_gate(setting, first_seed + run);
    shares.mean_pairs += one * static_cast<double>(end.pairs);
    shares.regressed += end.verdict == stats::GateVerdict::regressed ? one : 0;
    shares.inconclusive += end.verdict == stats::GateVerdict::inconclusive ? one : 0;
    shares.improved += end.verdict == stats::GateVerdict::improved ? one : 0;
    shares.passed += end.verdict == stats::GateVerdict::pass ? one : 0;
  }
  return shares;
}

stats::GateVerdict gate_on_two_processes(const GateSetting& setting,
                                         std::size_t slice_pairs,
                                         std::uint64_t seed) {
  Machine machine(setting.environment, seed);
  machine.start_process();
  const double offset = draw_process_offset(setting.environment, machine.random()) -
                        draw_process_offset(setting.environment, machine.random());
  stats::Row row{.limits = setting.limits};
  for (std::size_t pair = 0; pair < slice_pairs; ++pair) {
    const bool baseline_first = machine.random().chance(0.5);
    const double first = machine.next_slice();
    const double second = machine.next_slice();
    row.differences.push_back((baseline_first ? second - first : first - second) + offset +
                              std::log1p(setting.effect_ratio));
  }
  const stats::LookSchedule once{.pairs = {static_cast<std::int64_t>(slice_pairs)},
                                 .alpha = stats::kGateAlpha};
  return stats::gate_verdicts({row}, {.schedule = once}).front().verdict;
}

}  // namespace tune::noise
