#include "measure/campaign/locks.h"

#include "base/error.h"
#include "base/file.h"
#include "base/retry.h"
#include "base/sha256.h"
#include "machine/machine_facts.h"
#include "machine/user_folders.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace tune::campaign {

namespace {

// The first line of a lock's file, which says who holds it: "another process" where it says
// nothing.
std::string read_holder(const std::filesystem::path& file) {
  constexpr std::int64_t kLongest = 8192;
  std::string holder;
  try {
    const std::string text = read_file(file, kLongest);
    holder = text.substr(0, text.find('\n'));
  } catch (const Error&) {  // it says who, no more
  }
  return holder.empty() ? "another process" : holder;
}

// Replaces that line by way of the descriptor of who holds the lock. False when it cannot.
bool note_holder(int descriptor, const std::string& holder) {
  const std::string text = holder + "\n";
  return ftruncate(descriptor, 0) == 0 && pwrite(descriptor, text.data(), text.size(), 0) >= 0;
}

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
    DirectoryLock lock(retried(
        [&] { return open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644); }));
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
  RunLock lock(
      retried([&] { return open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600); }));
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
