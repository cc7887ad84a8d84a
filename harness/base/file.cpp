#include "base/file.h"

#include "base/machine_error.h"

#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace tune {

namespace {

[[noreturn]] void complain(const std::filesystem::path& path, const char* problem) {
  throw_failed_call(path, problem, errno);
}

class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags)
      : number_(open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~Descriptor() {
    if (number_ >= 0) {
      close(number_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = write(file, text.data(), text.size());
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put < 0) {
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

[[noreturn]] void give_up(const std::filesystem::path& draft,
                          const std::filesystem::path& path,
                          const char* problem) {
  const int reason = errno;
  unlink(draft.c_str());
  throw_failed_call(path, problem, reason);
}

// Readers see the old text or the new one, also after a power cut.
void write_in_one_step(const std::filesystem::path& path,
                       std::string_view text,
                       std::optional<mode_t> permissions) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const std::filesystem::path draft = path.string() + "." + std::to_string(getpid()) + ".tmp";
  {
    const Descriptor file(draft, O_WRONLY | O_CREAT | O_TRUNC);
    if (file.number() < 0) {
      complain(path, "cannot be written");
    }
    const bool is_permitted = !permissions || fchmod(file.number(), *permissions) == 0;
    if (!is_permitted || !write_all(file.number(), text)) {
      give_up(draft, path, "cannot be written");
    }
    if (fsync(file.number()) != 0) {
      give_up(draft, path, "cannot be synced to disk");
    }
  }
  if (rename(draft.c_str(), path.c_str()) != 0) {
    give_up(draft, path, "cannot be renamed into place");
  }
  const Descriptor directory(folder, O_RDONLY | O_DIRECTORY);
  if (directory.number() >= 0) {
    fsync(directory.number());
  }
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::int64_t limit_bytes) {
  const Descriptor file(path, O_RDONLY);
  struct stat facts {};
  if (file.number() < 0 || fstat(file.number(), &facts) != 0) {
    complain(path, "cannot be opened");
  }
  if (S_ISDIR(facts.st_mode)) {
    throw Error({path.string(), "is a folder", "a file is expected", ""});
  }
  std::string text;
  constexpr std::size_t kBlock = 1 << 16;
  for (;;) {
    const std::size_t filled = text.size();
    text.resize(filled + kBlock);
    const ssize_t got = read(file.number(), text.data() + filled, kBlock);
    if (got < 0 && errno == EINTR) {
      text.resize(filled);
      continue;
    }
    if (got < 0) {
      complain(path, "cannot be read");
    }
    text.resize(filled + static_cast<std::size_t>(got));
    if (static_cast<std::int64_t>(text.size()) > limit_bytes) {
      throw Error({path.string(),
                   "is too large",
                   "at most " + std::to_string(limit_bytes) + " bytes are read",
                   ""});
    }
    if (got == 0) {
      return text;
    }
  }
}

void write_file_synced(const std::filesystem::path& path, std::string_view text) {
  write_in_one_step(path, text, std::nullopt);
}

void replace_file_synced(const std::filesystem::path& path, std::string_view text) {
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::canonical(path, failed);
  struct stat facts {};
  if (failed || stat(real.c_str(), &facts) != 0 || access(real.c_str(), W_OK) != 0) {
    complain(path, "cannot be written");
  }
  constexpr mode_t kPermissions = 07777;
  write_in_one_step(real, text, facts.st_mode & kPermissions);
}

}  // namespace tune
