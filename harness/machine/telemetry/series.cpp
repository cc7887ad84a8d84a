#include "machine/telemetry/series.h"

#include "base/assert.h"

#include <cmath>
#include <utility>

namespace tune::telemetry {

Trail::Trail(std::vector<SeriesInfo> series, std::size_t most_samples)
    : series_(std::move(series)), most_samples_(most_samples) {
  TUNE_ASSERT(most_samples >= 4);
}

void Trail::add(std::int64_t now_ns, std::span<const double> values) {
  TUNE_ASSERT(values.size() == series_.size());
  if (!times_ns_.empty() && now_ns <= times_ns_.back()) {
    return;
  }
  if (times_ns_.size() == most_samples_) {
    thin();
  }
  times_ns_.push_back(now_ns);
  values_.insert(values_.end(), values.begin(), values.end());
}

// The first reading is kept, so that counts start where they started.
void Trail::thin() {
  const std::size_t width = series_.size();
  std::size_t kept = 1;
  for (std::size_t second = 2; second < times_ns_.size(); second += 2, ++kept) {
    times_ns_[kept] = times_ns_[second];
    for (std::size_t i = 0; i < width; ++i) {
      const double one = values_[(second - 1) * width + i];
      const double two = values_[second * width + i];
      const bool is_mean =
          series_[i].kind == Kind::level && std::isfinite(one) && std::isfinite(two);
      values_[kept * width + i] = is_mean ? (one + two) / 2 : two;
    }
  }
  if (times_ns_.size() % 2 == 0) {  // the last one has no partner
    const std::size_t last = times_ns_.size() - 1;
    times_ns_[kept] = times_ns_[last];
    for (std::size_t i = 0; i < width; ++i) {
      values_[kept * width + i] = values_[last * width + i];
    }
    ++kept;
  }
  times_ns_.resize(kept);
  values_.resize(kept * width);
}

}  // namespace tune::telemetry
