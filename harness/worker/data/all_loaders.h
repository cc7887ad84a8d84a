#pragma once

#include "worker/data/image_samples.h"
#include "worker/data/loader.h"
#include "worker/data/slot_memory.h"

#include <memory>

namespace tune::worker {

/// torch::data::DataLoader over the same files and decoder: what users of LibTorch have today, and
/// what the ring is compared with. Each sample is a tensor of its own, stacked into a new batch; a
/// job is a whole batch; max_jobs is prefetch_factor * num_workers.
std::unique_ptr<Loader> make_libtorch_loader(ImageSamples samples);

/// tune's own loader: threads that make samples straight into the slots of a BatchRing, or with
/// num_workers 0 the calling thread. It keeps max(2, prefetch_factor) batches, one of which the
/// consumer may hold.
/// With a locker its batches are page-locked.
std::unique_ptr<Loader> make_ring_loader(ImageSamples samples, PageLocker* locker);

/// A few resident batches of noise, handed out again and again: the ceiling that no loader can
/// beat. Labels are random and fixed by the seed. For a model of the user's own that takes no
/// images they are float32 of its shape. With a locker they are page-locked.
std::unique_ptr<Loader> make_synthetic_loader(const trial::TrialSpec& spec, PageLocker* locker);

/// A few resident batches of random tokens, handed out again and again: the ceiling that no source
/// can beat. Tokens, and which of them are hidden, are fixed by the seed.
std::unique_ptr<Loader> make_synthetic_token_loader(const trial::TrialSpec& spec);

/// Sequences of a file of tokens (dataset/token_bin.h) that do not overlap, in an order that
/// depends on seed and epoch alone; the last ones, too few for a sequence, are left out. By the
/// calling thread: copying a sequence out of the map takes about a microsecond, and no worker could
/// hand it over for less.
///
/// Throws std::invalid_argument with a sentence for the user when the file cannot serve the spec.
/// Its next() throws std::runtime_error naming file and place of a token that the model's
/// vocabulary does not have.
std::unique_ptr<Loader> make_token_bin_loader(const trial::TrialSpec& spec);

}  // namespace tune::worker
