#pragma once

#include "worker/data/loader.h"
#include "worker/data/page_lock.h"

namespace tune::worker {

/// A few resident batches of noise, handed out again and again: the ceiling that no loader can
/// beat. Labels are random and fixed by the seed. For a model of the user's own that takes no
/// images they are float32 of its shape. With a locker they are page-locked.
std::unique_ptr<Loader> make_synthetic_loader(const trial::TrialSpec& spec, PageLocker* locker);

}  // namespace tune::worker
