#include "worker/data/broken_files.h"

#include "base/clock.h"
#include "worker/data/file_bytes.h"
#include "worker/data/jpeg_decoder.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace tune::worker {

namespace {

// The ledger stores about 5000 bytes of the reason why a trial failed, including the folder and the
// note on what is left out.
constexpr std::size_t kLongestList = 4500;

enum class Depth { header, pixels };

/// Checks one file after the other.
class Look {
 public:
  explicit Look(const ImageSamples& samples) : samples_(samples) {}

  /// "" or what is wrong. A header says nothing about damaged pixels; a file without its end is
  /// decoded at any depth.
  std::string at(std::int64_t sample, Depth depth) {
    std::string problem = file_.read(samples_.folder.root / samples_.file(sample).path);
    if (problem.empty()) {
      problem = decoder_.open(file_.bytes());
    }
    if (problem.empty() && (depth == Depth::pixels || !ends_with_marker(file_.bytes()))) {
      Pixels pixels;  // of one row: the frame is decoded and discarded
      problem =
          decoder_.decode({0, 0, decoder_.frame().width, 1}, 1, JpegDecoder::Mode::full, pixels);
    }
    return problem;
  }

 private:
  const ImageSamples& samples_;
  FileBytes file_;
  JpegDecoder decoder_;
};

}  // namespace

BrokenFiles find_broken_files(const ImageSamples& samples,
                              std::map<std::string, std::string> found) {
  const std::int64_t end_ns = monotonic_ns() + samples.patience_ns;
  BrokenFiles broken{.problems = std::move(found)};
  Look look(samples);
  for (const Depth depth : {Depth::header, Depth::pixels}) {
    for (std::int64_t sample = 0; sample < samples.count(); ++sample) {
      if (monotonic_ns() >= end_ns) {
        broken.unseen = samples.count() - sample;
        return broken;
      }
      const std::string& path = samples.file(sample).path;
      if (broken.problems.contains(path)) {
        continue;
      }
      if (std::string problem = look.at(sample, depth); !problem.empty()) {
        broken.problems.emplace(path, std::move(problem));
      }
    }
  }
  return broken;
}

std::string broken_files_text(const std::map<std::string, std::string>& problems) {
  std::string text;
  std::size_t named = 0;
  for (const auto& [path, problem] : problems) {
    if (named > 0 && text.size() + path.size() + problem.size() > kLongestList) {
      return text + " and " + std::to_string(problems.size() - named) + " more";
    }
    text += text.empty() ? "" : "; ";
    text.append(path).append(": ").append(problem);
    ++named;
  }
  return text;
}

std::string refusal_text(const ImageSamples& samples, const BrokenFiles& broken) {
  const std::string root = samples.folder.root.string();
  std::string text;
  if (broken.problems.size() == 1) {
    const auto& [path, problem] = *broken.problems.begin();
    text = (samples.folder.root / path).string() + ": " + problem;
  } else {
    text = root + ": " + std::to_string(broken.problems.size()) + " of " +
           std::to_string(samples.count()) +
           " files cannot be used: " + broken_files_text(broken.problems);
  }
  if (broken.unseen > 0) {
    text += "; there was no time to check " + std::to_string(broken.unseen) + " files completely";
  }
  return text + " (data.on_error is fail) data.on_error: replace?";
}

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
  // Relative to at least one epoch: one broken file in the first batch does not decide yet.
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
