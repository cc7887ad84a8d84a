#pragma once

#include "worker/data/image_samples.h"
#include "worker/data/loader.h"
#include "worker/data/page_lock.h"

namespace tune::worker {

/// tune's own loader: threads that make samples straight into the slots of a BatchRing, or with
/// num_workers 0 the calling thread. It keeps max(2, prefetch_factor) batches, one of which the
/// consumer may hold.
/// With a locker its batches are page-locked.
std::unique_ptr<Loader> make_ring_loader(ImageSamples samples, PageLocker* locker);

}  // namespace tune::worker
