#pragma once

#include "dataset/image_folder.h"
#include "trial/trial_spec.h"
#include "worker/data/loader_options.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tune::worker {

/// The images of a trial and the steps that every loader applies to each of them. Shared by all
/// threads, immutable.
struct ImageSamples {
  enum class Task { train, infer };
  enum class ErrorPolicy { fail, replace, zero };

  dataset::ImageFolder folder;
  LoaderOptions options;
  std::int64_t image_size = 224;
  std::uint64_t seed = 0;
  Shard shard;
  Task task = Task::train;
  ErrorPolicy on_error = ErrorPolicy::fail;
  double max_error_ratio = 0.001;
  std::int64_t batches_per_epoch = 0, last_batch_size = 0;
  std::int64_t patience_ns = 0;          ///< a longer wait for a batch is reported (wait_watch.h)
  std::optional<double> resident_ratio;  ///< of the files, before the loader read them

  std::int64_t samples_per_epoch() const { return shard.count(count()); }  ///< of this process
  std::int64_t count() const { return static_cast<std::int64_t>(folder.files.size()); }
  const dataset::ImageFile& file(std::int64_t sample) const {
    return folder.files[static_cast<std::size_t>(sample)];
  }
  std::int64_t pixels_per_image() const { return image_size * image_size; }
  std::int64_t bytes_per_image() const {
    return pixels_per_image() * 3 * (options.dtype == LoaderOptions::Dtype::f32 ? 4 : 1);
  }
  std::int64_t batch_samples(std::int64_t batch) const;  ///< the last one of an epoch may be short
};

/// Lists the folder of the spec. Throws std::invalid_argument with a sentence when it does not fit
/// the spec: missing, empty, or with other classes than the model.
ImageSamples read_image_samples(const trial::TrialSpec& spec);

}  // namespace tune::worker
