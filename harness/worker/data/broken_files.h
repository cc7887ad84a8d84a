#pragma once

#include "trial/trial_reply.h"
#include "worker/data/image_samples.h"
#include "worker/data/sample_maker.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tune::worker {

/// The files of a set that cannot be used.
struct BrokenFiles {
  std::map<std::string, std::string> problems;  ///< path below the root -> "is a PNG"
  std::int64_t unseen = 0;                      ///< files that there was no time to check
};

/// Checks every file as the loader would, for as long as the set's patience; files whose problem
/// shows without decoding come first. `found` is what the loader has already found.
BrokenFiles find_broken_files(const ImageSamples& samples,
                              std::map<std::string, std::string> found);

/// "a/1.jpg: is a PNG; b/7.jpg: 0 bytes and 3 more": as many as fit into a ledger.
std::string broken_files_text(const std::map<std::string, std::string>& problems);

/// The error of a trial whose set may contain no broken file: a sentence that names them, so that
/// the user can fix the set in one go.
std::string refusal_text(const ImageSamples& samples, const BrokenFiles& broken);

/// Counts delivered samples and broken files. Used by the consuming thread, at delivery, so that
/// the numbers do not depend on how far ahead the workers are.
class FaultLog {
 public:
  explicit FaultLog(const ImageSamples& samples) : samples_(samples) {}

  /// Throws std::runtime_error naming the file when the policy is `fail`, or when too large a share
  /// of the samples was broken.
  void deliver(std::int64_t count, const std::vector<Fault>& faults);

  /// Adds its numbers to a report.
  void write_to(trial::LoaderReport& report) const;

 private:
  const ImageSamples& samples_;
  std::int64_t delivered_ = 0, errors_ = 0;
  std::map<std::string, trial::BrokenFile> broken_;
};

}  // namespace tune::worker
