#include "advice/loader_model.h"

#include <algorithm>
#include <cmath>

namespace tune::advice {

namespace {

constexpr double kHeadRoom = 1.15;  // a loader just as fast as the model still lets it wait

// What the workers alone could deliver, and what the cores leave over for them.
double supply(const LoaderModel& model, std::int64_t workers) {
  const auto count = static_cast<double>(workers);
  return std::min(count / (model.sample_cpu_s + model.sample_wait_s),
                  model.usable_cores / model.sample_cpu_s);
}

}  // namespace

double LoaderModel::rate(std::int64_t workers) const {
  if (workers <= 0) {
    return 1 / (sample_cpu_s + sample_wait_s + 1 / model_rate);
  }
  const double shared = usable_cores / (sample_cpu_s + usable_cores / model_rate);
  const double both = std::min(supply(*this, workers), model_rate);
  return trains_on_cpu ? std::min(both, shared) : both;
}

std::int64_t LoaderModel::needed_workers() const {
  const auto most = std::max<std::int64_t>(1, std::llround(std::ceil(usable_cores)));
  for (std::int64_t workers = 1; workers < most; ++workers) {
    const bool is_enough = supply(*this, workers) >= kHeadRoom * model_rate;
    const bool is_fastest =
        rate(workers) >= rate(most) && supply(*this, workers) >= supply(*this, most);
    if (is_enough || is_fastest) {
      return workers;
    }
  }
  return most;
}

}  // namespace tune::advice
