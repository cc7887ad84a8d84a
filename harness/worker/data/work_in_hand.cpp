#include "worker/data/work_in_hand.h"

#include "base/units.h"
#include "worker/data/image_samples.h"

#include <algorithm>

namespace tune::worker {

namespace {

constexpr std::size_t kMostNamed = 3;
constexpr std::size_t kLongestPath = 400;  // a tail of 2 KiB is kept of what a worker prints

std::string on_one_line(std::string path) {
  if (path.size() > kLongestPath) {
    path = "..." + path.substr(path.size() - kLongestPath);
  }
  std::replace_if(
      path.begin(), path.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return path;
}

}  // namespace

std::string describe_work(const ImageSamples& samples,
                          const std::vector<const WorkInHand*>& threads,
                          std::int64_t now_ns) {
  struct Work {
    WorkInHand::Stage stage;
    std::int64_t sample, since_ns;
  };
  std::vector<Work> all;
  for (const WorkInHand* const thread : threads) {
    if (const Work work = {thread->stage(), thread->sample(), thread->since_ns()};
        work.stage != WorkInHand::Stage::none) {
      all.push_back(work);
    }
  }
  if (all.empty()) {
    return "no thread of the loader is at work";
  }
  std::sort(
      all.begin(), all.end(), [](const Work& a, const Work& b) { return a.since_ns < b.since_ns; });
  std::string text = "the loader is";
  for (std::size_t i = 0; i < std::min(kMostNamed, all.size()); ++i) {
    text += i == 0 ? " " : ", ";
    text += all[i].stage == WorkInHand::Stage::reading ? "reading " : "decoding ";
    text += on_one_line((samples.folder.root / samples.file(all[i].sample).path).string());
    text += " (" + format_time(std::max<std::int64_t>(0, now_ns - all[i].since_ns)) + ")";
  }
  if (all.size() > kMostNamed) {
    text += " and " + std::to_string(all.size() - kMostNamed) + " more";
  }
  return text;
}

}  // namespace tune::worker
