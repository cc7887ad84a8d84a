#include "worker/recorder/gzip_file.h"

#include "base/error.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <unistd.h>
#include <utility>
#include <zlib.h>

namespace tune::worker {

struct GzipFile::Stream {
  z_stream z{};
  std::array<Bytef, 1 << 16> out{};

  Stream() {
    constexpr int kLevel = 4;              // a third of the time of 6, for a tenth more bytes
    constexpr int kGzip = MAX_WBITS + 16;  // 16: with gzip's header and checksum
    constexpr int kMemoryLevel = 8;
    if (deflateInit2(&z, kLevel, Z_DEFLATED, kGzip, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Stream() { deflateEnd(&z); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

namespace {

std::filesystem::path unfinished_name(std::filesystem::path path) {
  path += ".tmp";
  return path;
}

}  // namespace

GzipFile::GzipFile(std::filesystem::path path)
    : path_(std::move(path)),
      unfinished_(unfinished_name(path_)),
      stream_(std::make_unique<Stream>()) {
  constexpr mode_t kMode = 0644;
  file_ = open(unfinished_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (file_ < 0) {
    fail("cannot be written");
  }
}

GzipFile::~GzipFile() {
  if (file_ >= 0) {
    close(file_);
    unlink(unfinished_.c_str());
  }
}

void GzipFile::write(std::string_view text) {
  text_bytes_ += static_cast<std::int64_t>(text.size());
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // zlib counts in 32 bits
  while (!text.empty()) {
    const std::string_view part = text.substr(0, kMostAtOnce);
    text.remove_prefix(part.size());
    // zlib only reads it.
    stream_->z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
    stream_->z.avail_in = static_cast<uInt>(part.size());
    deflate_all(Z_NO_FLUSH);
  }
}

std::int64_t GzipFile::finish() {
  deflate_all(Z_FINISH);
  if (fsync(file_) != 0) {
    fail("cannot be synced");
  }
  if (close(std::exchange(file_, -1)) != 0 ||
      std::rename(unfinished_.c_str(), path_.c_str()) != 0) {
    const int problem = errno;
    unlink(unfinished_.c_str());
    errno = problem;
    fail("cannot be renamed into place");
  }
  return file_bytes_;
}

void GzipFile::deflate_all(int flush) {
  z_stream& z = stream_->z;
  do {
    z.next_out = stream_->out.data();
    z.avail_out = static_cast<uInt>(stream_->out.size());
    deflate(&z, flush);
    write_out(
        {reinterpret_cast<const char*>(stream_->out.data()), stream_->out.size() - z.avail_out});
  } while (z.avail_out == 0);
}

void GzipFile::write_out(std::string_view bytes) {
  file_bytes_ += static_cast<std::int64_t>(bytes.size());
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      fail("cannot be written");
    }
    bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
  }
}

void GzipFile::fail(const char* what) const {
  throw Error(Error::Parts{path_.string(), what, std::strerror(errno), ""});
}

}  // namespace tune::worker
