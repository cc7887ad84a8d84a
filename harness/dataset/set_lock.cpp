#include "dataset/set_lock.h"

#include "base/error.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace tune::dataset {

SetLock::SetLock(std::filesystem::path file, const std::function<void()>& while_waiting)
    : file_(std::move(file)) {
  constexpr std::chrono::milliseconds kPause(100);
  while (!try_once()) {
    while_waiting();
    std::this_thread::sleep_for(kPause);
  }
}

SetLock::~SetLock() {
  unlink(file_.c_str());  // before it is given up: nobody can hold this file afterwards
  close(descriptor_);
}

bool SetLock::is_held(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return false;
  }
  const bool is_free = flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  close(descriptor);
  return !is_free;
}

bool SetLock::try_once() {
  descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) {
    throw Error({file_.string(), "cannot be written", std::strerror(errno), ""});
  }
  struct stat held {};
  struct stat named {};
  // The holder before us deletes the file: a lock on the deleted one protects nothing.
  const bool is_ours = flock(descriptor_, LOCK_EX | LOCK_NB) == 0 &&
                       fstat(descriptor_, &held) == 0 && stat(file_.c_str(), &named) == 0 &&
                       held.st_ino == named.st_ino && held.st_dev == named.st_dev;
  if (!is_ours) {
    close(descriptor_);
    descriptor_ = -1;
  }
  return is_ours;
}

}  // namespace tune::dataset
