#pragma once

#include "worker/data/loader.h"

namespace tune::worker {

/// A few resident batches of noise, handed out again and again: the ceiling that no loader can
/// beat. Labels are random and fixed by the seed.
std::unique_ptr<Loader> make_synthetic_loader(const trial::TrialSpec& spec);

}  // namespace tune::worker
