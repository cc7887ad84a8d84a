#pragma once

#include "worker/data/loader.h"

#include <memory>

namespace tune::worker {

/// A few resident batches of random tokens, handed out again and again: the ceiling that no source
/// can beat. Tokens, and which of them are hidden, are fixed by the seed.
std::unique_ptr<Loader> make_synthetic_token_loader(const trial::TrialSpec& spec);

}  // namespace tune::worker
