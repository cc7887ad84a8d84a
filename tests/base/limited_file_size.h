#pragma once

#include <csignal>
#include <sys/resource.h>

namespace tune {

/// During its lifetime no file of this process can grow: as on a full disk.
class LimitedFileSize {
 public:
  explicit LimitedFileSize(rlim_t bytes) : before_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &usual_);
    rlimit small = usual_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~LimitedFileSize() {
    setrlimit(RLIMIT_FSIZE, &usual_);
    signal(SIGXFSZ, before_);
  }
  LimitedFileSize(const LimitedFileSize&) = delete;
  LimitedFileSize& operator=(const LimitedFileSize&) = delete;

 private:
  rlimit usual_{};
  void (*before_)(int);
};

}  // namespace tune
