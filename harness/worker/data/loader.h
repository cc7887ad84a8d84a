#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "worker/data/slot_memory.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

namespace tune::worker {

/// One batch as the loader delivers it.
struct Batch {
  at::Tensor images;  ///< [N, 3, S, S], channels-last strides; uint8 0-255, or float32 already
                      ///< normalised (dtype f32). Of a model that reads tokens: those, int64 [N, S]
  at::Tensor labels;  ///< int64 [N], or [N, S], -100 where a token is not asked for
  std::int64_t epoch = 0, index = 0;  ///< index within the epoch
  std::shared_ptr<void>
      slot;  ///< gives the memory back to the loader; drop it when the images have been used
};

/// An endless stream of batches, epoch after epoch. Used by one thread.
class Loader {
 public:
  virtual ~Loader() = default;

  /// The next batch; blocks until it is ready. Throws std::runtime_error naming the file when a
  /// sample is broken and the policy is `fail`, or too many are broken.
  virtual Batch next() = 0;

  virtual std::int64_t batches_per_epoch() const = 0;

  /// Samples of the last batch of an epoch; 0: not known.
  virtual std::int64_t last_batch_size() const { return 0; }

  /// Samples that are made but not handed out, including those of incomplete batches. Always 0
  /// without workers.
  virtual std::int64_t samples_ahead() const = 0;

  /// Whether images are in page-locked memory.
  virtual bool is_page_locked() const { return false; }

  virtual trial::LoaderReport report() const = 0;
};

/// The loader for the spec's data and knobs. Throws std::invalid_argument with a sentence for the
/// user when they cannot be combined. With a locker, the knob pin_memory locks the memory of
/// loaders that own theirs; it must outlive loader and batches.
std::unique_ptr<Loader> make_loader(const trial::TrialSpec& spec, PageLocker* locker = nullptr);

}  // namespace tune::worker
