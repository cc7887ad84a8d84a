#pragma once

#include "worker/data/image_samples.h"

#include <cstdint>
#include <map>
#include <string>

namespace tune::worker {

/// The files of a set that cannot be used.
struct BrokenFiles {
  std::map<std::string, std::string> problems;  ///< path below the root -> "is a PNG"
  std::int64_t unseen = 0;                      ///< files that there was no time to look at
};

/// Looks at every file as the loader would, those that need no decoding to be found first, for as
/// long as the set's patience. `found` is what the loader has met already.
BrokenFiles find_broken_files(const ImageSamples& samples,
                              std::map<std::string, std::string> found);

/// "a/1.jpg: is a PNG; b/7.jpg: 0 bytes and 3 more": as many as a ledger has room for.
std::string broken_files_text(const std::map<std::string, std::string>& problems);

/// What ends a trial whose set may hold no broken file: a sentence that names them, so that the
/// user can mend the set in one go.
std::string refusal_text(const ImageSamples& samples, const BrokenFiles& broken);

}  // namespace tune::worker
