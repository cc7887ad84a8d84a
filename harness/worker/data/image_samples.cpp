#include "worker/data/image_samples.h"

#include "base/error.h"
#include "machine/page_cache.h"

#include <algorithm>
#include <stdexcept>

namespace tune::worker {

namespace {

constexpr std::int64_t kPatienceNs = 10'000'000'000;

ImageSamples::ErrorPolicy policy_of(const std::string& word) {
  if (word == "fail") {
    return ImageSamples::ErrorPolicy::fail;
  }
  if (word == "replace") {
    return ImageSamples::ErrorPolicy::replace;
  }
  if (word == "zero") {
    return ImageSamples::ErrorPolicy::zero;
  }
  throw std::invalid_argument("data.on_error: '" + word + "' must be fail, replace or zero");
}

dataset::ImageFolder list_folder(const std::string& path) {
  try {
    return dataset::read_image_folder(path);
  } catch (const Error& error) {
    throw std::invalid_argument(error.what());
  }
}

// A generated set may have fewer classes than the model has outputs; a user's own set with another
// number than the scenario says is a mistake.
void check_classes(const trial::TrialSpec& spec, const dataset::ImageFolder& folder) {
  const auto found = static_cast<std::int64_t>(folder.classes.size());
  const std::int64_t expected = spec.workload.classes;
  const bool fits = spec.data.source == "image-folder" ? found == expected : found <= expected;
  if (!fits) {
    throw std::invalid_argument(
        spec.data.path + ": " + std::to_string(found) + " classes, but the scenario says " +
        std::to_string(expected) +
        " (every sub-folder is a class) workload.classes: " + std::to_string(found) + "?");
  }
}

}  // namespace

std::int64_t ImageSamples::batch_samples(std::int64_t batch) const {
  return std::min(options.batch_size, samples_per_epoch() - batch * options.batch_size);
}

ImageSamples read_image_samples(const trial::TrialSpec& spec) {
  ImageSamples samples;
  samples.options = read_loader_options(spec.knobs);
  samples.on_error = policy_of(spec.data.on_error);
  samples.max_error_ratio = spec.data.max_error_ratio;
  samples.image_size = spec.workload.image_size;
  samples.seed = spec.workload.seed;
  samples.shard = shard_of(spec);
  samples.task =
      spec.workload.task == "infer" ? ImageSamples::Task::infer : ImageSamples::Task::train;
  samples.folder = list_folder(spec.data.path);
  check_classes(spec, samples.folder);
  samples.batches_per_epoch = count_batches(spec, samples.samples_per_epoch());
  samples.last_batch_size = last_batch_size(spec, samples.samples_per_epoch());
  samples.patience_ns = std::clamp<std::int64_t>(spec.timeout_ns / 4, 1, kPatienceNs);
  samples.resident_ratio = machine::resident_ratio(samples.count(), [&](std::int64_t sample) {
    return samples.folder.root / samples.file(sample).path;
  });
  return samples;
}

}  // namespace tune::worker
