#pragma once

#include "trial/trial_reply.h"
#include "worker/data/sample_maker.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tune::worker {

/// Counts what was delivered and which files were broken. Used by the consuming thread, at
/// delivery, so that the numbers do not depend on how far ahead the workers are.
class FaultLog {
 public:
  explicit FaultLog(const ImageSamples& samples) : samples_(samples) {}

  /// Throws std::runtime_error naming the file when the policy is `fail`, and when more than the
  /// allowed part of the samples was broken.
  void deliver(std::int64_t count, const std::vector<Fault>& faults);

  /// Adds what it knows to a report.
  void write_to(trial::LoaderReport& report) const;

 private:
  const ImageSamples& samples_;
  std::int64_t delivered_ = 0, errors_ = 0;
  std::map<std::string, trial::BrokenFile> broken_;
};

}  // namespace tune::worker
