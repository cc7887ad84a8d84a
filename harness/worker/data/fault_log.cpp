#include "worker/data/fault_log.h"

#include "worker/data/broken_files.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

namespace tune::worker {

namespace {
constexpr std::size_t kMaxNames = 100;
}  // namespace

void FaultLog::deliver(std::int64_t count, const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) {
    if (samples_.on_error == ImageSamples::ErrorPolicy::fail) {
      throw std::runtime_error(
          refusal_text(samples_, find_broken_files(samples_, {{fault.path, fault.problem}})));
    }
    ++errors_;
    const auto known = broken_.find(fault.path);
    if (known != broken_.end()) {
      ++known->second.times;
    } else if (broken_.size() < kMaxNames) {
      broken_[fault.path] = {fault.path, fault.problem, fault.treatment, 1};
    }
  }
  delivered_ += count;
  // In proportion to at least one epoch: one broken file in the first batch is not yet a verdict.
  const auto basis = static_cast<double>(std::max(delivered_, samples_.count()));
  if (static_cast<double>(errors_) > samples_.max_error_ratio * basis) {
    std::map<std::string, std::string> problems;
    for (const auto& [path, file] : broken_) {
      problems.emplace(path, file.problem);
    }
    std::ostringstream text;
    text << samples_.folder.root.string() << ": " << errors_ << " of " << delivered_
         << " samples could not be used, more than data.max_error_ratio "
         << samples_.max_error_ratio << " allows; broken so far: " << broken_files_text(problems);
    throw std::runtime_error(text.str());
  }
}

void FaultLog::write_to(trial::LoaderReport& report) const {
  report.samples = delivered_;
  report.errors = errors_;
  report.resident_ratio = samples_.resident_ratio;
  for (const auto& [path, file] : broken_) {
    report.broken.push_back(file);
  }
  report.skipped_types = dataset::describe_skipped(samples_.folder);
}

}  // namespace tune::worker
