#include "campaign/directory_lock.h"

#include "base/error.h"
#include "campaign/lock_holder.h"
#include "machine/machine_facts.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tune::campaign {

namespace {

// Hidden, so that a listing of the directory shows only what was measured.
constexpr const char* kFile = ".lock";

enum class Answer { taken, held, no_locks };

// The lock belongs to the open file, not to the process: whoever else opens it in this process is
// kept out too, and closing another descriptor does not release it.
Answer try_lock(int descriptor, const std::filesystem::path& file) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  int answer = fcntl(descriptor, F_OFD_SETLK, &whole);
  if (answer != 0 && errno == EINVAL) {  // a kernel without such locks
    answer = flock(descriptor, LOCK_EX | LOCK_NB);
  }
  if (answer == 0) {
    return Answer::taken;
  }
  if (errno == EACCES || errno == EAGAIN) {
    return Answer::held;
  }
  if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP || errno == EINVAL) {
    return Answer::no_locks;
  }
  throw_failed_call(file, "cannot be locked", errno);
}

// Whether the directory was not moved aside, and another made in its place, while we opened it.
bool is_in_place(int descriptor, const std::filesystem::path& file) {
  struct stat own {};
  struct stat named {};
  return fstat(descriptor, &own) == 0 && stat(file.c_str(), &named) == 0 &&
         own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

}  // namespace

std::optional<DirectoryLock> DirectoryLock::take(const std::filesystem::path& directory,
                                                 std::string& holder) {
  const std::filesystem::path file = directory / kFile;
  for (;;) {
    // Not for the workers: a worker that outlives us must not keep the lock.
    DirectoryLock lock(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (lock.descriptor_ < 0) {
      throw_failed_call(file, "cannot be opened", errno);
    }
    const Answer answer = try_lock(lock.descriptor_, file);
    if (answer == Answer::held) {
      lock.is_kept_ = false;  // its line is another's
      holder = read_holder(file);
      return std::nullopt;
    }
    lock.is_kept_ = answer == Answer::taken;
    if (lock.is_kept_ && !is_in_place(lock.descriptor_, file)) {
      continue;
    }
    if (lock.is_kept_) {
      const std::string host = machine::host_name();
      (void)note_holder(  // on a full disk it holds without a name
          lock.descriptor_,
          "pid " + std::to_string(getpid()) + (host.empty() ? "" : " on " + host));
    }
    return lock;
  }
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), is_kept_(other.is_kept_) {}

DirectoryLock::~DirectoryLock() {
  if (descriptor_ >= 0) {
    if (is_kept_) {  // nobody holds it who is named there
      (void)!ftruncate(descriptor_, 0);
    }
    close(descriptor_);
  }
}

}  // namespace tune::campaign
