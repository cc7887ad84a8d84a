#include "worker/script/seen_loaders.h"

#include <algorithm>

namespace tune::script {

namespace {

// A script that holds back so many batches makes its own of them (detectron2 groups by aspect).
constexpr std::size_t kMostAhead = 64;

std::int64_t take_waiting(SeenLoader& loader) {
  std::int64_t samples = 0;
  loader.groups = loader.groups || loader.waiting.size() > kMostAhead;
  while (!loader.waiting.empty()) {
    samples += loader.waiting.front();
    loader.waiting.pop_front();
    if (!loader.groups) {
      break;
    }
  }
  return samples;
}

}  // namespace

std::int64_t SeenLoader::size_of_next(std::int64_t rows) {
  ++given;
  const std::int64_t size = batch_size.value_or(-1);
  if (rows > 0 || size <= 0) {
    return std::max<std::int64_t>(rows, 0);
  }
  const std::int64_t all = epoch_samples.value_or(-1);
  if (all <= 0) {
    return size;
  }
  const std::int64_t batches = (all + size - 1) / size;
  const std::int64_t before = (given - 1) % batches;  // some loaders continue without a new start
  return std::min(all - before * size, size);
}

void SeenLoaders::push(std::int64_t number, std::int64_t samples) {
  loaders_[number].waiting.push_back(samples);
  pulled_.insert(number);
}

std::int64_t SeenLoaders::take_samples(bool& trains) {
  std::int64_t samples = 0;
  for (auto& [number, loader] : loaders_) {
    samples += take_waiting(loader);
  }
  for (const std::int64_t number : pulled_) {
    SeenLoader& loader = loaders_[number];
    loader.trains = loader.trains || !loader.evaluates;
    trains = trains || loader.trains;
  }
  pulled_.clear();
  return samples;
}

bool SeenLoaders::any_waits() const {
  return std::any_of(loaders_.begin(), loaders_.end(), [](const auto& entry) {
    return !entry.second.waiting.empty();
  });
}

void SeenLoaders::begin_epoch(std::int64_t number, std::int64_t dataset) {
  SeenLoader& loader = loaders_[number];
  loader.given = 0;
  loader.dataset = dataset;
  if (loader.trains || loader.evaluates) {
    return;
  }
  bool trains = false, evaluates = false;
  for (const auto& [other, known] : loaders_) {
    if (known.dataset == loader.dataset) {
      trains = trains || known.trains;
      evaluates = evaluates || known.evaluates;
    }
  }
  if (trains != evaluates) {
    loader.trains = trains;
    loader.evaluates = evaluates;
  }
}

void SeenLoaders::forget_batches() {
  for (auto& [number, loader] : loaders_) {
    loader.waiting.clear();
  }
  pulled_.clear();
}

std::vector<std::int64_t> SeenLoaders::training() const {
  std::vector<std::int64_t> found;
  for (const auto& [number, loader] : loaders_) {
    if (loader.trains) {
      found.push_back(number);
    }
  }
  return found;
}

std::optional<std::int64_t> SeenLoaders::samples_of_training() const {
  std::optional<std::int64_t> samples;
  for (const auto& [number, loader] : loaders_) {
    if (!loader.trains) {
      continue;
    }
    const std::int64_t own = loader.epoch_samples.value_or(-1);
    if (own <= 0 || (samples && *samples != own)) {
      return std::nullopt;
    }
    samples = own;
  }
  return samples;
}

std::vector<std::int64_t> SeenLoaders::evaluating() const {
  std::vector<std::int64_t> found;
  for (const auto& [number, loader] : loaders_) {
    if (loader.evaluates && !loader.trains) {
      found.push_back(number);
    }
  }
  return found;
}

}  // namespace tune::script
