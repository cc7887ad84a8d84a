#include "dataset/make_set_once.h"

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "dataset/data_cache.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
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
  unlink(file_.c_str());  // before it is released: nobody can lock this file afterwards
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
  // The previous holder deletes the file: a lock on the deleted file protects nothing.
  const bool is_ours = flock(descriptor_, LOCK_EX | LOCK_NB) == 0 &&
                       fstat(descriptor_, &held) == 0 && stat(file_.c_str(), &named) == 0 &&
                       held.st_ino == named.st_ino && held.st_dev == named.st_dev;
  if (!is_ours) {
    close(descriptor_);
    descriptor_ = -1;
  }
  return is_ours;
}

namespace fs = std::filesystem;

void make_sets_folder(const fs::path& folder) {
  make_folders(folder, "Name another cache with TUNE_CACHE_DIR");
}

void check_space(const std::string& name, std::int64_t needed_bytes, const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (!error && space.available < static_cast<std::uintmax_t>(needed_bytes)) {
    throw MachineError({folder.string(),
                        "there is no room for the data set " + name,
                        "it takes about " + format_bytes(needed_bytes) + ", " +
                            format_bytes(static_cast<std::int64_t>(space.available)) + " are free",
                        "Ask for fewer samples, or name another cache with TUNE_CACHE_DIR"});
  }
}

SetDraft::SetDraft(const fs::path& root) : folder_(draft_folder_of(root)) {
  remove();  // of an interrupted making
  std::error_code error;
  fs::create_directory(folder_, error);
  if (error) {
    throw_failed_call(folder_, "cannot be made", error.value());
  }
}

SetDraft::~SetDraft() {
  remove();
}

void SetDraft::become(const fs::path& root) {
  sync();
  std::error_code error;
  fs::remove_all(root, error);  // a damaged or outdated one
  if (!error) {
    fs::rename(folder_, root, error);
  }
  if (error) {
    throw Error({root.string(), "cannot be replaced", error.message(), ""});
  }
}

void SetDraft::remove() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

// The files must be on disk before the name that says they are complete.
void SetDraft::sync() const {
  const int descriptor = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    syncfs(descriptor);
    close(descriptor);
  }
}

}  // namespace tune::dataset
