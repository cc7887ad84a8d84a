#include "base/stats/variance_components.h"

#include "base/assert.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tune::stats {

namespace {

constexpr std::size_t kEnoughProcesses = 10;

struct Sums {
  double all = 0;          // slices
  double all_squared = 0;  // sum of the squares of the processes' numbers of slices
  double within = 0;       // squared distances from the process's mean
  double between = 0;      // squared distances of the means from the grand mean
  double adjacent = 0;     // products of neighbours' distances
  double bias = 0;         // their sum for independent slices of variance 1, without the sign
};

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void add_process(const std::vector<double>& rates, double grand_mean, Sums& sums) {
  const double middle = mean(rates);
  const auto n = static_cast<double>(rates.size());
  sums.all += n;
  sums.all_squared += n * n;
  sums.between += n * (middle - grand_mean) * (middle - grand_mean);
  sums.bias += (n - 1) / n;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    sums.within += (rates[i] - middle) * (rates[i] - middle);
    sums.adjacent += i == 0 ? 0 : (rates[i] - middle) * (rates[i - 1] - middle);
  }
}

}  // namespace

VarianceComponents variance_components(const std::vector<std::vector<double>>& log_rates) {
  std::vector<double> all;
  VarianceComponents found;
  for (const std::vector<double>& rates : log_rates) {
    all.insert(all.end(), rates.begin(), rates.end());
    found.processes += rates.empty() ? 0U : 1U;
  }
  found.slices = all.size();
  TUNE_ASSERT(found.processes >= 2 && found.slices > found.processes);
  Sums sums;
  for (const std::vector<double>& rates : log_rates) {
    if (!rates.empty()) {
      add_process(rates, mean(all), sums);
    }
  }
  const auto processes = static_cast<double>(found.processes);
  const double slice_variance = sums.within / (sums.all - processes);
  const double between = sums.between / (processes - 1);
  const double slices_each = (sums.all - sums.all_squared / sums.all) / (processes - 1);
  found.slice_sd = std::sqrt(slice_variance);
  found.process_sd = std::sqrt(std::max(0.0, (between - slice_variance) / slices_each));
  if (sums.within > 0) {
    // Distances from a mean over n slices have a covariance of -variance / n.
    found.lag1_autocorrelation =
        std::clamp((sums.adjacent + sums.bias * slice_variance) / sums.within, -1.0, 1.0);
  }
  if (found.processes < kEnoughProcesses) {
    found.warning = "from only " + std::to_string(found.processes) + " processes";
  }
  return found;
}

std::optional<std::size_t> best_slices(const VarianceComponents& components,
                                       const SliceCost& cost) {
  TUNE_ASSERT(cost.process_s > 0 && cost.slice_s > 0);
  if (components.process_sd <= 0) {
    return std::nullopt;
  }
  const double slices =
      std::sqrt(cost.process_s / cost.slice_s) * components.slice_sd / components.process_sd;
  return static_cast<std::size_t>(std::lround(std::clamp(slices, 1.0, 1000.0)));
}

}  // namespace tune::stats
