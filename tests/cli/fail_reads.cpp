// To be loaded before a program's own libraries (LD_PRELOAD): looks, opens and reads of files below
// one folder are counted, and those that are asked for fail, as on a disk or server that stumbles.
//
//   FAIL_UNDER   the folder, absolute
//   FAIL_NAME    how the names of the files end; not set: any
//   FAIL_AT      the number of the first call that fails, from 1; 0: none
//   FAIL_TIMES   so many more calls for the same file fail; 0: that one alone
//   FAIL_ERRNO   5 (EIO), 13 (EACCES), 24 (EMFILE), ...
//   FAIL_COUNT   a file that gets the number of calls at the end

#include <climits>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace {

std::string text(const char* name) {
  const char* const value = getenv(name);
  return value == nullptr ? "" : value;
}

long number(const char* name) {
  return atol(text(name).c_str());
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

class Faults {
 public:
  // True, and errno set, when the call for this file is one that fails.
  bool strike(const std::string& path) {
    if (under_.empty() || !path.starts_with(under_) || !path.ends_with(name_)) {
      return false;
    }
    const long call = ++calls_;
    const bool is_first = call == at_;
    const bool is_next = !struck_.empty() && struck_ == path && left_ > 0;
    if (!is_first && !is_next) {
      return false;
    }
    if (is_first) {
      struck_ = path;
    } else {
      --left_;
    }
    errno = reason_;
    return true;
  }

  ~Faults() {
    if (const char* const file = getenv("FAIL_COUNT")) {
      if (FILE* const out = fopen(file, "w")) {
        fprintf(out, "%ld\n", calls_.load());
        fclose(out);
      }
    }
  }

 private:
  std::string under_ = text("FAIL_UNDER"), name_ = text("FAIL_NAME");
  long at_ = number("FAIL_AT"), left_ = number("FAIL_TIMES");
  int reason_ = static_cast<int>(number("FAIL_ERRNO"));
  std::atomic<long> calls_ = 0;
  std::string struck_;
};

Faults& faults() {
  static Faults all;
  return all;
}

std::string path_of(int descriptor) {
  std::array<char, PATH_MAX> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "";
}

bool is_for_reading(int flags) {
  return (flags & O_ACCMODE) == O_RDONLY;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  if (is_for_reading(flags) && faults().strike(path)) {
    return -1;
  }
  return next<int (*)(const char*, int, mode_t)>("open")(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  if (is_for_reading(flags) && faults().strike(path)) {
    return -1;
  }
  return next<int (*)(const char*, int, mode_t)>("open64")(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  if (is_for_reading(flags) && faults().strike(path)) {
    return -1;
  }
  return next<int (*)(int, const char*, int, mode_t)>("openat")(folder, path, flags, mode);
}

ssize_t read(int descriptor, void* to, size_t bytes) {
  if (faults().strike(path_of(descriptor))) {
    return -1;
  }
  return next<ssize_t (*)(int, void*, size_t)>("read")(descriptor, to, bytes);
}

int stat(const char* path, struct stat* facts) {
  if (faults().strike(path)) {
    return -1;
  }
  return next<int (*)(const char*, struct stat*)>("stat")(path, facts);
}

}  // extern "C"
