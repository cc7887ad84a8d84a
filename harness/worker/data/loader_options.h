#pragma once

#include "trial/trial_spec.h"
#include "worker/data/random_stream.h"

#include <cstdint>
#include <string>

namespace tune::worker {

/// The knobs that concern the loader, typed.
struct LoaderOptions {
  enum class Engine { ring, libtorch };
  enum class Decode { full, roi, roi_scaled };
  enum class Dtype { u8, f32 };
  enum class Order { sampler, as_ready };
  enum class Threads { per_epoch, persistent };
  enum class Memory { pageable, pinned };

  std::int64_t batch_size = 1, num_workers = 0, prefetch_factor = 2, worker_nice = 0;
  Engine engine = Engine::ring;
  Decode decode = Decode::full;
  Dtype dtype = Dtype::u8;
  Order order = Order::sampler;
  Threads threads = Threads::per_epoch;
  Memory memory = Memory::pageable;
};

/// A knob missing from the spec has the catalogue's default. Throws std::invalid_argument when a
/// value does not fit its knob.
LoaderOptions read_loader_options(const trial::KnobSettings& knobs);

/// The samples of this process.
Shard shard_of(const trial::TrialSpec& spec);

/// The number of batches in an epoch of `samples` samples. Throws std::invalid_argument when it is
/// 0.
std::int64_t count_batches(const trial::TrialSpec& spec, std::int64_t samples);

/// Samples of the last of them.
std::int64_t last_batch_size(const trial::TrialSpec& spec, std::int64_t samples);

}  // namespace tune::worker
