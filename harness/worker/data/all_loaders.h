#pragma once

#include "worker/data/image_samples.h"
#include "worker/data/loader.h"
#include "worker/data/slot_memory.h"

#include <memory>

namespace tune::worker {

/// torch::data::DataLoader over the same files and decoder: what users of LibTorch have today, and
/// the reference for the ring. Each sample is its own tensor, stacked into a new batch; a job is a
/// whole batch; max_jobs is prefetch_factor * num_workers.
std::unique_ptr<Loader> make_libtorch_loader(ImageSamples samples);

/// tune's own loader: threads that make samples straight into the slots of a BatchRing, or with
/// num_workers 0 the calling thread. It has max(2, prefetch_factor) batches, one of which the
/// consumer may hold. With a locker its batches are page-locked.
std::unique_ptr<Loader> make_ring_loader(ImageSamples samples, PageLocker* locker);

/// A few resident batches of noise, handed out repeatedly: the ceiling that no loader can beat.
/// Labels are random and fixed by the seed. For the user's own model without images they are
/// float32 of its shape. With a locker they are page-locked.
std::unique_ptr<Loader> make_synthetic_loader(const trial::TrialSpec& spec, PageLocker* locker);

/// A few resident batches of random tokens, handed out repeatedly: the ceiling that no source can
/// beat. The tokens, and which of them are hidden, are fixed by the seed.
std::unique_ptr<Loader> make_synthetic_token_loader(const trial::TrialSpec& spec);

/// Sequences of a file of tokens (dataset/token_bin.h) that do not overlap, in an order that
/// depends only on seed and epoch; the last tokens, too few for a sequence, are left out. Done by
/// the calling thread: copying a sequence out of the map takes about a microsecond, and a worker
/// could not hand it over faster.
///
/// Throws std::invalid_argument with a sentence for the user when the file cannot serve the spec.
/// Its next() throws std::runtime_error naming file and position of a token outside the model's
/// vocabulary.
std::unique_ptr<Loader> make_token_bin_loader(const trial::TrialSpec& spec);

}  // namespace tune::worker
