// To be loaded before a program's own libraries (LD_PRELOAD): calls for files below one folder, and
// calls that start a process or take memory, are counted, and those that are asked for fail, as on
// a machine that stumbles.
//
//   FAIL_PROGRAM  the program it happens to; not set: tune
//   FAIL_CALLS    kinds of calls: "stat open create read write sync rename folder start pipe map"
//                 (create: an open for writing; rename: also the first name of a file; folder:
//                 mkdir; start: fork, posix_spawn); not set: "stat open read"
//   FAIL_UNDER    the folder, absolute; start, pipe and map without a file count everywhere
//   FAIL_NAME     how the names of the files end; not set: any
//   FAIL_AT       the number of the first call that fails, from 1; 0: none
//   FAIL_TIMES    so many more calls of that kind for the same file fail; 0: that one alone
//   FAIL_ERRNO    5 (EIO), 13 (EACCES), 24 (EMFILE), ...; kill: the process is killed (SIGKILL)
//   FAIL_LOG      a file that gets a line for each call: its kind and its file
//
// A write that fails, or is killed, has written the first half of its bytes.

#include <climits>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <spawn.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

std::string text(const char* name, const char* otherwise = "") {
  const char* const value = getenv(name);
  return value == nullptr ? otherwise : value;
}

long number(const char* name) {
  return atol(text(name).c_str());
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

ssize_t write_as_it_is(int descriptor, const void* from, size_t bytes) {
  static const auto call = next<ssize_t (*)(int, const void*, size_t)>("write");
  return call(descriptor, from, bytes);
}

std::string path_of(int descriptor) {
  std::array<char, PATH_MAX> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "";
}

std::string whole_path(int folder, const char* path) {
  if (path[0] == '/') {
    return path;
  }
  std::array<char, PATH_MAX> here{};
  if (folder != AT_FDCWD) {
    return path_of(folder) + "/" + path;
  }
  return (getcwd(here.data(), here.size()) == nullptr ? "" : std::string(here.data())) + "/" + path;
}

class Faults {
 public:
  // True, and errno set, when this call is one that fails.
  bool strike(const char* kind, const std::string& path) {
    return strike_halfway(kind, path, [] {});
  }

  // As strike(), for a call that first does half its work.
  template <class Half>
  bool strike_halfway(const char* kind, const std::string& path, Half half) {
    if (!is_watched(kind, path) || !is_struck(kind, path)) {
      return false;
    }
    if (reason_ != EINTR) {
      half();
    }
    if (is_deadly_) {
      kill(getpid(), SIGKILL);
    }
    errno = reason_;
    return true;
  }

 private:
  bool is_watched(const char* kind, const std::string& path) const {
    if (!is_program_ || kinds_.find(" " + std::string(kind) + " ") == std::string::npos) {
      return false;
    }
    return path.empty() || (!under_.empty() && path.starts_with(under_) && path.ends_with(name_));
  }

  bool is_struck(const char* kind, const std::string& path) {
    const std::lock_guard lock(several_threads_);
    const std::string what = std::string(kind) + " " + path + "\n";
    if (log_ >= 0) {
      write_as_it_is(log_, what.data(), what.size());
    }
    if (++calls_ == at_) {
      struck_ = what;
      return true;
    }
    return struck_ == what && left_-- > 0;
  }

  bool is_program_ = text("FAIL_PROGRAM", "tune") == program_invocation_short_name;
  std::string kinds_ = " " + text("FAIL_CALLS", "stat open read") + " ";
  std::string under_ = text("FAIL_UNDER"), name_ = text("FAIL_NAME");
  long at_ = number("FAIL_AT"), left_ = number("FAIL_TIMES");
  bool is_deadly_ = text("FAIL_ERRNO") == "kill";
  int reason_ = static_cast<int>(number("FAIL_ERRNO"));
  int log_ = !is_program_ || text("FAIL_LOG").empty()
                 ? -1
                 : next<int (*)(const char*, int, ...)>("open")(
                       text("FAIL_LOG").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  std::mutex several_threads_;
  long calls_ = 0;
  std::optional<std::string> struck_;
};

// Never destroyed: other libraries write in their own destructors.
Faults& faults() {
  static Faults& all = *new Faults;
  return all;
}

bool strike_opening(int folder, const char* path, int flags) {
  const bool is_for_reading = (flags & O_ACCMODE) == O_RDONLY && (flags & O_CREAT) == 0;
  return faults().strike(is_for_reading ? "open" : "create", whole_path(folder, path));
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

FILE* open_stream(const char* name, const char* path, const char* mode) {
  const bool is_for_reading = mode[0] == 'r' && strchr(mode, '+') == nullptr;
  if (faults().strike(is_for_reading ? "open" : "create", whole_path(AT_FDCWD, path))) {
    return nullptr;
  }
  return next<FILE* (*)(const char*, const char*)>(name)(path, mode);
}

ssize_t read_at(const char* name, int descriptor, void* to, size_t bytes, off_t place) {
  if (faults().strike("read", path_of(descriptor))) {
    return -1;
  }
  return next<ssize_t (*)(int, void*, size_t, off_t)>(name)(descriptor, to, bytes, place);
}

ssize_t write_at(const char* name, int descriptor, const void* from, size_t bytes, off_t place) {
  const auto call = next<ssize_t (*)(int, const void*, size_t, off_t)>(name);
  const auto half = [&] { call(descriptor, from, bytes / 2, place); };
  if (faults().strike_halfway("write", path_of(descriptor), half)) {
    return -1;
  }
  return call(descriptor, from, bytes, place);
}

int look_at(const char* name, const char* path, struct stat* facts) {
  if (faults().strike("stat", whole_path(AT_FDCWD, path))) {
    return -1;
  }
  return next<int (*)(const char*, struct stat*)>(name)(path, facts);
}

int sync_file(const char* name, int descriptor) {
  if (faults().strike("sync", path_of(descriptor))) {
    return -1;
  }
  return next<int (*)(int)>(name)(descriptor);
}

using Spawn = int (*)(pid_t*,
                      const char*,
                      const posix_spawn_file_actions_t*,
                      const posix_spawnattr_t*,
                      char* const[],
                      char* const[]);

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return strike_opening(AT_FDCWD, path, flags)
             ? -1
             : next<int (*)(const char*, int, ...)>("open")(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return strike_opening(AT_FDCWD, path, flags)
             ? -1
             : next<int (*)(const char*, int, ...)>("open64")(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return strike_opening(folder, path, flags)
             ? -1
             : next<int (*)(int, const char*, int, ...)>("openat")(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  return open_stream("fopen", path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  return open_stream("fopen64", path, mode);
}

ssize_t read(int descriptor, void* to, size_t bytes) {
  if (faults().strike("read", path_of(descriptor))) {
    return -1;
  }
  return next<ssize_t (*)(int, void*, size_t)>("read")(descriptor, to, bytes);
}

ssize_t pread(int descriptor, void* to, size_t bytes, off_t place) {
  return read_at("pread", descriptor, to, bytes, place);
}

ssize_t pread64(int descriptor, void* to, size_t bytes, off_t place) {
  return read_at("pread64", descriptor, to, bytes, place);
}

ssize_t write(int descriptor, const void* from, size_t bytes) {
  const auto half = [&] { write_as_it_is(descriptor, from, bytes / 2); };
  if (faults().strike_halfway("write", path_of(descriptor), half)) {
    return -1;
  }
  return write_as_it_is(descriptor, from, bytes);
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  const auto call = next<ssize_t (*)(int, const iovec*, int)>("writev");
  const auto half = [&] { call(descriptor, parts, count / 2); };
  if (faults().strike_halfway("write", path_of(descriptor), half)) {
    return -1;
  }
  return call(descriptor, parts, count);
}

ssize_t pwrite(int descriptor, const void* from, size_t bytes, off_t place) {
  return write_at("pwrite", descriptor, from, bytes, place);
}

ssize_t pwrite64(int descriptor, const void* from, size_t bytes, off_t place) {
  return write_at("pwrite64", descriptor, from, bytes, place);
}

int fsync(int descriptor) {
  return sync_file("fsync", descriptor);
}

int fdatasync(int descriptor) {
  return sync_file("fdatasync", descriptor);
}

int rename(const char* from, const char* to) {
  if (faults().strike("rename", whole_path(AT_FDCWD, to))) {
    return -1;
  }
  return next<int (*)(const char*, const char*)>("rename")(from, to);
}

// The last step of a file that has no name until it is whole.
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (faults().strike("rename", whole_path(to_folder, to))) {
    return -1;
  }
  using Link = int (*)(int, const char*, int, const char*, int);
  return next<Link>("linkat")(from_folder, from, to_folder, to, flags);
}

int mkdir(const char* path, mode_t mode) {
  if (faults().strike("folder", whole_path(AT_FDCWD, path))) {
    return -1;
  }
  return next<int (*)(const char*, mode_t)>("mkdir")(path, mode);
}

int stat(const char* path, struct stat* facts) {
  return look_at("stat", path, facts);
}

int stat64(const char* path, struct stat64* facts) {
  return look_at("stat64", path, reinterpret_cast<struct stat*>(facts));
}

pid_t fork() {
  return faults().strike("start", "") ? -1 : next<pid_t (*)()>("fork")();
}

int posix_spawn(pid_t* process,
                const char* path,
                const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes,
                char* const words[],
                char* const variables[]) {
  return faults().strike("start", "")
             ? errno
             : next<Spawn>("posix_spawn")(process, path, actions, attributes, words, variables);
}

int posix_spawnp(pid_t* process,
                 const char* file,
                 const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes,
                 char* const words[],
                 char* const variables[]) {
  return faults().strike("start", "")
             ? errno
             : next<Spawn>("posix_spawnp")(process, file, actions, attributes, words, variables);
}

int pipe(int ends[2]) {
  return faults().strike("pipe", "") ? -1 : next<int (*)(int[2])>("pipe")(ends);
}

int pipe2(int ends[2], int flags) {
  return faults().strike("pipe", "") ? -1 : next<int (*)(int[2], int)>("pipe2")(ends, flags);
}

void* mmap(void* place, size_t bytes, int access, int flags, int descriptor, off_t offset) {
  static const auto call = next<void* (*)(void*, size_t, int, int, int, off_t)>("mmap");
  const std::string file = descriptor < 0 ? "" : path_of(descriptor);
  return faults().strike("map", file) ? MAP_FAILED
                                      : call(place, bytes, access, flags, descriptor, offset);
}

void* mmap64(void* place, size_t bytes, int access, int flags, int descriptor, off_t offset) {
  return mmap(place, bytes, access, flags, descriptor, offset);
}

}  // extern "C"
