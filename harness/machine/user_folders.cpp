#include "machine/user_folders.h"

#include "base/error.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <pwd.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

std::optional<fs::path> from_environment(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr || *value == '\0') {
    return std::nullopt;
  }
  return fs::path(value);
}

// The XDG specification: a relative path there is invalid and to be ignored.
std::optional<fs::path> absolute_from_environment(const char* name) {
  auto path = from_environment(name);
  return path && path->is_absolute() ? path : std::nullopt;
}

struct UserEntry {
  explicit UserEntry(uid_t user) {
    if (getpwuid_r(user, &entry, text.data(), text.size(), &found) != 0) {
      found = nullptr;
    }
  }

  std::array<char, 16'384> text{};
  passwd entry{};
  passwd* found = nullptr;  ///< null: nobody has this number
};

fs::path home() {
  if (const auto path = absolute_from_environment("HOME")) {
    return *path;
  }
  UserEntry entry(getuid());
  if (entry.found != nullptr && entry.found->pw_dir != nullptr && entry.found->pw_dir[0] == '/') {
    return entry.found->pw_dir;
  }
  throw Error({"HOME", "is not set", "and this user has no home folder", "set TUNE_CACHE_DIR"});
}

fs::path temporary_folder() {
  return absolute_from_environment("TMPDIR").value_or("/tmp");
}

fs::path whole(const fs::path& path) {
  return fs::absolute(path).lexically_normal();
}

}  // namespace

std::string user_name(std::int64_t user) {
  const UserEntry entry(static_cast<uid_t>(user));
  return entry.found != nullptr && entry.found->pw_name != nullptr ? entry.found->pw_name
                                                                   : std::to_string(user);
}

fs::path cache_folder() {
  if (const auto path = from_environment("TUNE_CACHE_DIR")) {
    return whole(*path);
  }
  const auto base = absolute_from_environment("XDG_CACHE_HOME");
  return whole((base ? *base : home() / ".cache") / "tune");
}

fs::path data_folder() {
  if (const auto path = from_environment("TUNE_DATA_DIR")) {
    return whole(*path);
  }
  const auto base = absolute_from_environment("XDG_DATA_HOME");
  return whole((base ? *base : home() / ".local/share") / "tune");
}

fs::path runtime_folder() {
  const auto path = from_environment("TUNE_RUNTIME_DIR");
  return path ? whole(*path) : usual_runtime_folder();
}

fs::path usual_runtime_folder() {
  if (const auto base = absolute_from_environment("XDG_RUNTIME_DIR")) {
    return whole(*base / "tune");
  }
  return whole(temporary_folder() / ("tune-" + std::to_string(getuid())));
}

void make_private_folder(const fs::path& folder) {
  fs::path made;
  for (const fs::path& part : folder) {
    made /= part;
    const int reason = mkdir(made.c_str(), 0700) != 0 ? errno : 0;
    std::error_code failed;
    if (reason != 0 && reason != EEXIST && !fs::is_directory(made, failed)) {
      throw_failed_call(folder, "cannot be made", reason);
    }
  }
  struct stat facts {};
  if (lstat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) {
    throw Error({folder.string(), "is not a folder", "it is a link or a file", ""});
  }
  if (facts.st_uid != geteuid()) {
    throw Error({folder.string(),
                 "belongs to somebody else",
                 "user " + std::to_string(facts.st_uid),
                 "set TUNE_RUNTIME_DIR"});
  }
}

}  // namespace tune::machine
