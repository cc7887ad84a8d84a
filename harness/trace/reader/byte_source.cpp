#include "trace/reader/byte_source.h"

#include "base/error.h"
#include "base/retry.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tune::profile {

namespace {

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path) : name_(path.string()) {
    descriptor_ = retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
    if (descriptor_ < 0) {
      throw_failed_call(name_, "cannot be opened", errno);
    }
    if (::fstat(descriptor_, &before_) != 0) {
      const int error = errno;
      ::close(descriptor_);
      throw_failed_call(name_, "cannot be examined", error);
    }
    if (S_ISDIR(before_.st_mode)) {
      ::close(descriptor_);
      throw Error(Error::Parts{
          name_, "is a directory", "one trace file is expected", "name a .json or .json.gz in it"});
    }
  }
  ~FileSource() override { ::close(descriptor_); }

  std::size_t read(char* out, std::size_t size) override {
    for (;;) {
      const ssize_t count = ::read(descriptor_, out, size);
      if (count > 0) {
        bytes_ += count;
        return static_cast<std::size_t>(count);
      }
      if (count == 0) {
        check_unchanged();
        return 0;
      }
      if (errno != EINTR) {
        const int reason = errno;
        const std::string problem = "cannot be read at byte " + std::to_string(bytes_);
        throw_failed_call(name_, problem.c_str(), reason);
      }
    }
  }

  std::int64_t file_bytes() const override { return bytes_; }

 private:
  void check_unchanged() const {
    struct stat now {};
    if (!S_ISREG(before_.st_mode) || ::fstat(descriptor_, &now) != 0) {
      return;
    }
    const bool same_time = now.st_mtim.tv_sec == before_.st_mtim.tv_sec &&
                           now.st_mtim.tv_nsec == before_.st_mtim.tv_nsec;
    if (now.st_size != before_.st_size || bytes_ != before_.st_size || !same_time) {
      throw Error(Error::Parts{name_ + ": byte " + std::to_string(bytes_),
                               "the file changed while it was read",
                               std::to_string(before_.st_size) + " bytes at the beginning, " +
                                   std::to_string(now.st_size) + " at the end",
                               "wait until the profiler has written all of it"});
    }
  }

  std::string name_;
  int descriptor_ = -1;
  struct stat before_ {};
  std::int64_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path) {
  return std::make_unique<FileSource>(path);
}

std::unique_ptr<ByteSource> open_trace_text(const std::filesystem::path& path,
                                            const ExpansionLimits& limits) {
  return decompressed(open_file(path), path.string(), limits);
}

}  // namespace tune::profile
