#include "cli/slurm_words.h"

#include <map>
#include <string>

namespace tune::cli {

std::string ranges_of(const std::set<std::int64_t>& numbers) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const std::int64_t first = *at;
    std::int64_t last = first;
    while (++at != numbers.end() && *at == last + 1) {
      last = *at;
    }
    text += (text.empty() ? "" : ",") + std::to_string(first);
    text += last > first ? "-" + std::to_string(last) : "";
  }
  return text;
}

std::string queue_words(const runner::SlurmQueue& queue) {
  std::size_t running = 0;
  std::size_t waiting = 0;
  std::set<std::string> reasons;
  for (const runner::SlurmTask& task : queue.tasks) {
    if (task.state == "PENDING") {
      ++waiting;
      reasons.insert(task.reason);
    } else {
      ++running;
    }
  }
  std::string text = std::to_string(running) + " running, " + std::to_string(waiting) + " waiting";
  std::string why;
  for (const std::string& reason : reasons) {
    why += (why.empty() ? "" : ", ") + reason;
  }
  return why.empty() ? text : text + " (" + why + ")";
}

}  // namespace tune::cli
