#include "base/file.h"

#include "base/draft.h"
#include "base/error.h"
#include "base/retry.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tune {

namespace {

[[noreturn]] void complain(const std::filesystem::path& path, const char* problem) {
  throw_failed_call(path, problem, errno);
}

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path)
      : number_(retried([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC); })) {}
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

// Who made a file: that decides what it means when its permissions keep us from reading it.
enum class Owner { user, tune };

// Whether the file may exist and only cannot be read now. For our own files every error except
// "does not exist" counts: only the machine keeps us from reading them.
bool may_pass(int reason, Owner owner) {
  constexpr std::array kNone = {ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP, EISDIR, EINVAL, ENXIO};
  return owner == Owner::user ? is_of_machine(reason)
                              : std::find(kNone.begin(), kNone.end(), reason) == kNone.end();
}

[[noreturn]] void complain_of_reading(const std::filesystem::path& path,
                                      const char* problem,
                                      int reason,
                                      Owner owner) {
  const Error::Parts parts{path.string(), problem, std::strerror(reason), ""};
  if (may_pass(reason, owner)) {
    throw MachineError(parts);
  }
  throw Error(parts);
}

struct ReadTry {
  std::string text;
  const char* problem = nullptr;  // nothing: it was read
  int reason = 0;
};

ReadTry failed_try(const char* problem) {
  return {"", problem, errno};
}

ReadTry try_to_read(const std::filesystem::path& path, std::int64_t limit_bytes) {
  const Descriptor file(path);
  struct stat facts {};
  if (file.number() < 0 || fstat(file.number(), &facts) != 0) {
    return failed_try("cannot be opened");
  }
  if (S_ISDIR(facts.st_mode)) {
    throw Error({path.string(), "is a folder", "a file is expected", ""});
  }
  std::string text;
  constexpr std::size_t kBlock = 1 << 16;
  for (;;) {
    const std::size_t filled = text.size();
    text.resize(filled + kBlock);
    const ssize_t got = retried([&] { return read(file.number(), text.data() + filled, kBlock); });
    if (got < 0) {
      return failed_try("cannot be read");
    }
    text.resize(filled + static_cast<std::size_t>(got));
    if (static_cast<std::int64_t>(text.size()) > limit_bytes) {
      throw Error({path.string(),
                   "is too large",
                   "at most " + std::to_string(limit_bytes) + " bytes are read",
                   ""});
    }
    if (got == 0) {
      return {std::move(text)};
    }
  }
}

std::string read_patiently(const std::filesystem::path& path,
                           std::int64_t limit_bytes,
                           Owner owner) {
  ReadTry tried = patiently(
      [&] { return try_to_read(path, limit_bytes); },
      [&](const ReadTry& last) { return last.problem != nullptr && may_pass(last.reason, owner); });
  if (tried.problem != nullptr) {
    complain_of_reading(path, tried.problem, tried.reason, owner);
  }
  return std::move(tried.text);
}

// Readers see the old text or the new one, also after a power cut.
void write_in_one_step(const std::filesystem::path& path,
                       std::string_view text,
                       std::optional<mode_t> permissions) {
  Draft draft(path);
  const bool is_writable = draft.is_open() && (!permissions || draft.permit(*permissions));
  if (!is_writable || !draft.write(text)) {
    complain(path, "cannot be written");
  }
  if (!draft.sync()) {
    complain(path, "cannot be synced to disk");
  }
  if (!draft.replace()) {
    complain(path, "cannot be renamed into place");
  }
  sync_folder_of(path);
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::int64_t limit_bytes) {
  return read_patiently(path, limit_bytes, Owner::user);
}

std::string read_kept_file(const std::filesystem::path& path, std::int64_t limit_bytes) {
  return read_patiently(path, limit_bytes, Owner::tune);
}

namespace {

std::filesystem::file_type type_for(const std::filesystem::path& path, Owner owner) {
  std::error_code failed;
  const auto type = patiently([&] { return std::filesystem::status(path, failed).type(); },
                              [&](std::filesystem::file_type last) {
                                return last == std::filesystem::file_type::none &&
                                       may_pass(failed.value(), owner);
                              });
  if (type == std::filesystem::file_type::none) {
    complain_of_reading(path, "cannot be read", failed.value(), owner);
  }
  return type;
}

}  // namespace

std::filesystem::file_type type_of(const std::filesystem::path& path) {
  return type_for(path, Owner::user);
}

std::filesystem::file_type type_of_kept(const std::filesystem::path& path) {
  return type_for(path, Owner::tune);
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

namespace fs = std::filesystem;

void make_folders(const fs::path& folder, const std::string& suggestion) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed) {
    return;
  }
  const Error::Parts parts{folder.string(), "cannot be made", failed.message(), suggestion};
  if (is_of_machine(failed.value())) {
    throw MachineError(parts);
  }
  throw Error(parts);
}

bool is_within(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

std::vector<fs::path> folders_in(const fs::path& folder,
                                 const std::function<bool(const fs::path&)>& is_wanted) {
  std::vector<fs::path> found;
  std::error_code failed;
  auto entry = fs::directory_iterator(folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    std::error_code ignored;
    if (!entry->is_symlink(ignored) && is_wanted(entry->path())) {
      found.push_back(entry->path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<fs::path> kept_entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  auto entry = fs::directory_iterator(folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    found.push_back(entry->path());
  }
  if (failed && failed != std::errc::no_such_file_or_directory &&
      failed != std::errc::not_a_directory) {
    throw MachineError({folder.string(), "cannot be listed", failed.message(), ""});
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tune
