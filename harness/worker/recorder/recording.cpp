#include "worker/recorder/recording.h"

#include "base/assert.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <pthread.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace tune::worker {

namespace {

// Numbers are never reused, unlike addresses.
std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

struct OwnLog {
  std::uint64_t recording = 0;
  ThreadLog* log = nullptr;
};

OwnLog& own_log() {
  static thread_local constinit OwnLog own;
  return own;
}

std::string name_of_this_thread() {
  std::array<char, 16> name{};  // the longest that Linux allows
  return pthread_getname_np(pthread_self(), name.data(), name.size()) == 0 ? name.data() : "";
}

}  // namespace

// Memory is about a tenth of the resulting text; inputs are a third.
Recording::Recording(const Options& options)
    : options_(options), number_(next_number()), room_(options.limit_bytes / 2 + (64 << 20)) {}

Recording::~Recording() {
  stop();
}

void Recording::start() {
  Recording* none = nullptr;
  TUNE_ASSERT(slot().compare_exchange_strong(none, this) || none == this);
}

void Recording::stop() {
  Recording* self = this;
  slot().compare_exchange_strong(self, nullptr);
}

ThreadLog* Recording::log_of_this_thread() {
  const OwnLog& own = own_log();
  return own.recording == number_ ? own.log : adopt_this_thread();
}

ThreadLog* Recording::adopt_this_thread() {
  const std::lock_guard lock(mutex_);
  OwnLog& own = own_log();
  own = {number_, nullptr};
  if (logs_.size() < kMostThreads) {
    ThreadLog::Owner owner{gettid(), gettid() == getpid() ? "training" : name_of_this_thread()};
    logs_.push_back(std::make_unique<ThreadLog>(std::move(owner), room_, names_));
    own.log = logs_.back().get();
  } else {
    ++threads_without_log_;
  }
  return own.log;
}

std::vector<const ThreadLog*> Recording::logs() const {
  const std::lock_guard lock(mutex_);
  std::vector<const ThreadLog*> logs(logs_.size());
  std::transform(
      logs_.begin(), logs_.end(), logs.begin(), [](const auto& log) { return log.get(); });
  return logs;
}

// A row of an operator has about 250 bytes with its name, half of a flow up to 120; sizes and
// strides of 8 bytes become at most twice as long with their commas and quotes, types longer.
std::int64_t Recording::json_bytes_at_most() const {
  constexpr std::int64_t kEvent = 512, kMemoryRow = 320, kInput = 3, kFrame = 16'384;
  std::int64_t bytes = kFrame;
  for (const ThreadLog* const log : logs()) {
    bytes += kEvent * log->events().size() + kMemoryRow * log->memory().size();
    bytes += kInput * log->input_bytes();
  }
  return bytes;
}

std::int64_t Recording::lost_events() const {
  const std::lock_guard lock(mutex_);
  std::int64_t lost = threads_without_log_;
  for (const auto& log : logs_) {
    lost += log->lost_events();
  }
  return lost;
}

std::int64_t Recording::lost_inputs() const {
  const std::lock_guard lock(mutex_);
  std::int64_t lost = 0;
  for (const auto& log : logs_) {
    lost += log->lost_inputs();
  }
  return lost;
}

}  // namespace tune::worker
