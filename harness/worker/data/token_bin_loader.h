#pragma once

#include "worker/data/loader.h"

#include <memory>

namespace tune::worker {

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
