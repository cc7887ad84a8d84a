#include "base/appended_file.h"

#include "base/draft.h"
#include "base/error.h"
#include "base/retry.h"

#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tune {

AppendedFile::AppendedFile(std::filesystem::path file, int descriptor)
    : file_(std::move(file)), descriptor_(descriptor) {}

AppendedFile::AppendedFile(AppendedFile&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

AppendedFile::~AppendedFile() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

// Its name comes last: a ledger that is there has begun.
AppendedFile AppendedFile::create(const std::filesystem::path& file,
                                  const std::string& first_line) {
  Draft draft(file, O_APPEND);
  if (!draft.is_open()) {
    throw_failed_call(file, "cannot be created", errno);
  }
  if (!draft.write(first_line + "\n")) {
    throw_failed_call(file, "cannot be written", errno);
  }
  if (!draft.sync()) {
    throw_failed_call(file, "cannot be synced to disk", errno);
  }
  if (!draft.take_place()) {
    throw_failed_call(file, "cannot be created", errno);
  }
  sync_folder_of(file);
  return AppendedFile(file, draft.release());
}

AppendedFile AppendedFile::reopen(const std::filesystem::path& file, std::int64_t whole_bytes) {
  AppendedFile opened(file,
                      retried([&] { return open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC); }));
  if (opened.descriptor_ < 0) {
    throw_failed_call(file, "cannot be opened for writing", errno);
  }
  if (ftruncate(opened.descriptor_, whole_bytes) != 0) {
    throw_failed_call(file, "cannot be repaired", errno);
  }
  return opened;
}

void AppendedFile::append(std::string line) {
  check_place();
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t put = write(descriptor_, rest.data(), rest.size());
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put <= 0) {
      throw_failed_call(file_, "cannot be written", errno);
    }
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  if (fdatasync(descriptor_) != 0) {
    throw_failed_call(file_, "cannot be synced to disk", errno);
  }
}

AppendedFile::Place AppendedFile::look() const {
  struct stat own {};
  struct stat named {};
  const bool is_there = fstat(descriptor_, &own) == 0 && stat(file_.c_str(), &named) == 0;
  if (!is_there) {
    return errno == ENOENT || errno == ENOTDIR ? Place::lost : Place::unseen;
  }
  return own.st_dev == named.st_dev && own.st_ino == named.st_ino ? Place::own : Place::lost;
}

void AppendedFile::check_place() const {
  const Place place =
      patiently([this] { return look(); }, [](Place last) { return last == Place::unseen; });
  if (place == Place::unseen) {
    throw_failed_call(file_, "cannot be inspected", errno);
  }
  if (place == Place::lost) {
    throw MachineError(Error::Parts{
        file_.string(), "is gone", "it was removed or replaced while tune wrote it", ""});
  }
}

}  // namespace tune
