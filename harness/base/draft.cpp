#include "base/draft.h"

#include "base/retry.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tune {

namespace {

constexpr const char* kDescriptors = "/proc/self/fd/";

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

int open_patiently(const std::filesystem::path& path, int flags) {
  constexpr mode_t kMode = 0644;
  return retried([&] { return open(path.c_str(), flags | O_CLOEXEC, kMode); });
}

// Not every file system has second names.
bool has_no_links(int reason) {
  return reason == EPERM || reason == EOPNOTSUPP || reason == ENOSYS || reason == EMLINK;
}

}  // namespace

Draft::Draft(const std::filesystem::path& path, int flags)
    : path_(path), draft_(path.string() + "." + std::to_string(getpid()) + ".tmp") {
  if (access(kDescriptors, X_OK) == 0) {
    descriptor_ = open_patiently(folder_of(path), O_WRONLY | O_TMPFILE | flags);
    is_nameless_ = descriptor_ >= 0;
  }
  if (!is_nameless_) {
    descriptor_ = open_patiently(draft_, O_WRONLY | O_CREAT | O_TRUNC | flags);
    has_draft_name_ = descriptor_ >= 0;
  }
}

Draft::~Draft() {
  if (has_draft_name_) {
    unlink(draft_.c_str());
  }
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

bool Draft::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = retried([&] { return ::write(descriptor_, text.data(), text.size()); });
    if (put < 0) {
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

bool Draft::permit(unsigned permissions) {
  return fchmod(descriptor_, permissions) == 0;
}

bool Draft::sync() {
  return retried([&] { return fsync(descriptor_); }) == 0;
}

bool Draft::name_it() {
  const std::string self = kDescriptors + std::to_string(descriptor_);
  unlink(draft_.c_str());  // left by an earlier process with our id
  has_draft_name_ =
      linkat(AT_FDCWD, self.c_str(), AT_FDCWD, draft_.c_str(), AT_SYMLINK_FOLLOW) == 0;
  return has_draft_name_;
}

bool Draft::replace() {
  const bool has_name = has_draft_name_ || name_it();
  if (!has_name || rename(draft_.c_str(), path_.c_str()) != 0) {
    return false;
  }
  has_draft_name_ = false;
  return true;
}

bool Draft::take_place() {
  const std::string self = is_nameless_ ? kDescriptors + std::to_string(descriptor_) : draft_;
  if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW) == 0) {
    return true;
  }
  if (!has_no_links(errno)) {
    return false;
  }
  if (access(path_.c_str(), F_OK) == 0) {
    errno = EEXIST;
    return false;
  }
  return replace();
}

int Draft::release() {
  return std::exchange(descriptor_, -1);
}

void sync_folder_of(const std::filesystem::path& file) {
  const int folder = open_patiently(folder_of(file), O_RDONLY | O_DIRECTORY);
  if (folder >= 0) {
    retried([&] { return fsync(folder); });
    close(folder);
  }
}

}  // namespace tune
