#include "worker/phase_lines.h"

#include "base/monotonic_clock.h"
#include "trial/trial_phase.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace tune::worker {

PhaseLines::PhaseLines() : is_open_(fcntl(trial::kPhaseDescriptor, F_GETFD) != -1) {}

void PhaseLines::begin(std::string_view name) {
  const std::int64_t now_ns = monotonic_ns();
  if (!spans_.empty()) {
    if (spans_.back().name == name) {
      return;
    }
    spans_.back().end_ns = now_ns;
  }
  spans_.push_back({std::string(name), now_ns, now_ns});
  if (!is_open_) {
    return;
  }
  const std::string line = spans_.back().name + " " + std::to_string(now_ns) + "\n";
  ssize_t written = -1;
  do {
    written = write(trial::kPhaseDescriptor, line.data(), line.size());
  } while (written == -1 && errno == EINTR);
  is_open_ = written != -1;  // nobody listens any more
}

std::vector<trial::PhaseSpan> PhaseLines::spans() const {
  std::vector<trial::PhaseSpan> spans = spans_;
  if (!spans.empty()) {
    spans.back().end_ns = monotonic_ns();
  }
  return spans;
}

}  // namespace tune::worker
