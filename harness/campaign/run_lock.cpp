#include "campaign/run_lock.h"

#include "base/error.h"
#include "base/file.h"
#include "machine/user_folders.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace tune::campaign {

namespace {

[[noreturn]] void complain(const std::filesystem::path& path, const char* problem) {
  throw Error({path.string(), problem, std::strerror(errno), "set TUNE_RUNTIME_DIR"});
}

std::string read_holder(const std::filesystem::path& file) {
  constexpr std::int64_t kLongest = 8192;
  try {
    const std::string text = read_file(file, kLongest);
    return text.substr(0, text.find('\n'));
  } catch (const Error&) {
    return "";
  }
}

}  // namespace

std::optional<RunLock> RunLock::take(const std::filesystem::path& runtime_folder,
                                     const std::filesystem::path& run_directory,
                                     std::string& holder) {
  machine::make_private_folder(runtime_folder);
  const std::filesystem::path file = runtime_folder / "run.lock";
  // Not for the workers: a worker that outlives us must not keep the lock.
  RunLock lock(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (lock.descriptor_ < 0) {
    complain(file, "cannot be opened");
  }
  while (flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) {
      continue;
    }
    if (errno != EWOULDBLOCK) {
      complain(file, "cannot be locked");
    }
    holder = read_holder(file);
    holder = holder.empty() ? "another process" : holder;
    return std::nullopt;
  }
  const std::string text =
      "pid " + std::to_string(getpid()) + ", run directory " + run_directory.string() + "\n";
  if (ftruncate(lock.descriptor_, 0) != 0 ||
      pwrite(lock.descriptor_, text.data(), text.size(), 0) < 0) {
    complain(file, "cannot be written");
  }
  return lock;
}

RunLock::RunLock(RunLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

RunLock::~RunLock() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

}  // namespace tune::campaign
