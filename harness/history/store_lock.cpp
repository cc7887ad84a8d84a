#include "history/store_lock.h"

#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace tune::history {

StoreLock::StoreLock(const std::filesystem::path& file, std::chrono::milliseconds wait)
    : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
  constexpr std::chrono::milliseconds kPause(10);
  if (descriptor_ < 0) {
    throw Error({file.string(), "cannot be written", std::strerror(errno), ""});
  }
  const auto deadline = std::chrono::steady_clock::now() + wait;
  while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int reason = errno;
    const bool may_wait = reason == EWOULDBLOCK || reason == EINTR;
    if (!may_wait || std::chrono::steady_clock::now() >= deadline) {
      close(descriptor_);
      throw Error({file.string(),
                   "cannot be locked",
                   may_wait ? "another process keeps the lock" : std::strerror(reason),
                   may_wait ? "try again" : ""});
    }
    std::this_thread::sleep_for(kPause);
  }
}

StoreLock::~StoreLock() {
  close(descriptor_);
}

}  // namespace tune::history
