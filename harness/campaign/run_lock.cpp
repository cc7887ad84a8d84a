#include "campaign/run_lock.h"

#include "base/error.h"
#include "base/sha256.h"
#include "campaign/lock_holder.h"
#include "machine/user_folders.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace tune::campaign {

namespace {

constexpr std::size_t kLongestName = sizeof(sockaddr_un::sun_path) - 1;

[[noreturn]] void complain(const std::filesystem::path& path, const char* problem) {
  const int reason = errno;
  const Error::Parts parts{path.string(), problem, std::strerror(reason), "set TUNE_RUNTIME_DIR"};
  if (is_of_machine(reason)) {
    throw MachineError(parts);
  }
  throw Error(parts);
}

// The folder belongs to one user, and not even all sessions of one user share it: an abstract
// socket's name is one for the whole machine. A folder that was named (TUNE_RUNTIME_DIR) has a lock
// of its own.
std::string machine_wide_name(const std::filesystem::path& runtime_folder) {
  return runtime_folder == machine::usual_runtime_folder()
             ? "tune-run"
             : "tune-run-" + sha256_hex(runtime_folder.string());
}

// A descriptor that holds the name; nothing when somebody else does; -1 on a kernel without such
// sockets, where the file's lock has to do.
std::optional<int> take_name(const std::string& name) {
  const int number = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;  // a name that begins with NUL is abstract
  name.copy(static_cast<char*>(address.sun_path) + 1, sizeof(address.sun_path) - 1);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                             std::min(name.size(), kLongestName));
  const auto* const where = reinterpret_cast<const sockaddr*>(&address);
  if (number >= 0 && bind(number, where, length) != 0 && errno == EADDRINUSE) {
    close(number);
    return std::nullopt;
  }
  return number;
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
    return std::nullopt;
  }
  const auto name = take_name(machine_wide_name(runtime_folder));
  if (!name) {
    holder = "a run of another user or session";
    return std::nullopt;
  }
  lock.name_ = *name;
  (void)note_holder(  // on a full disk it holds without a name
      lock.descriptor_,
      "pid " + std::to_string(getpid()) + ", run directory " + run_directory.string());
  return lock;
}

RunLock::RunLock(RunLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), name_(std::exchange(other.name_, -1)) {}

RunLock::~RunLock() {
  for (const int number : {name_, descriptor_}) {
    if (number >= 0) {
      close(number);
    }
  }
}

}  // namespace tune::campaign
