#include "machine/telemetry/sampler.h"

#include "base/assert.h"
#include "base/background_thread.h"
#include "base/clock.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <span>
#include <utility>

namespace tune::telemetry {

namespace {

std::vector<SeriesInfo> all_series(const std::vector<Source*>& sources) {
  std::vector<SeriesInfo> all;
  for (const Source* source : sources) {
    all.insert(all.end(), source->series().begin(), source->series().end());
  }
  return all;
}

}  // namespace

Sampler::Sampler(std::vector<Source*> sources, const SamplerOptions& options)
    : sources_(std::move(sources)),
      options_(options),
      trail_(all_series(sources_)),
      values_(trail_.series().size()),
      start_ns_(monotonic_ns()) {
  thread_ = start_thread([this] { run(); });
}

Sampler::~Sampler() {
  if (thread_.joinable()) {
    (void)stop();
  }
}

void Sampler::sample_soon() {
  {
    const std::scoped_lock lock(mutex_);
    is_wanted_ = true;
  }
  wake_.notify_one();
}

Sampler::Result Sampler::stop() {
  TUNE_ASSERT(thread_.joinable());
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  wake_.notify_one();
  thread_.join();
  return {std::move(trail_), cpu_ns_, monotonic_ns() - start_ns_};
}

void Sampler::run() {
  step_aside("telemetry");
  bool is_last = false;
  while (!is_last) {
    const std::int64_t before_ns = thread_cpu_ns();
    sample_once();
    cpu_ns_ = thread_cpu_ns();
    const auto rest = std::chrono::nanoseconds(rest_ns(cpu_ns_ - before_ns));
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, rest, [&] { return is_wanted_ || is_over_; });
    is_wanted_ = false;
    is_last = is_over_;
  }
  sample_once();
  cpu_ns_ = thread_cpu_ns();
}

void Sampler::sample_once() {
  const std::int64_t now_ns = monotonic_ns();
  std::fill(values_.begin(), values_.end(), std::numeric_limits<double>::quiet_NaN());
  std::size_t at = 0;
  for (Source* source : sources_) {
    const std::size_t count = source->series().size();
    source->sample(now_ns, std::span(values_).subspan(at, count));
    at += count;
  }
  trail_.add(now_ns, values_);
}

std::int64_t Sampler::rest_ns(std::int64_t cost_ns) const {
  constexpr double kLongestNs = 10e9;
  const double affordable_ns =
      std::min(static_cast<double>(cost_ns) / options_.most_cpu_ratio, kLongestNs);
  return std::max(options_.period_ns, static_cast<std::int64_t>(affordable_ns));
}

}  // namespace tune::telemetry
