#include "worker/script/shield.h"

#include "base/file.h"
#include "machine/user_folders.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sched.h>
#include <string_view>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tune::script {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kPrivate = 0700;

// ---------------------------------------------------------------------------------- space

// The kernel's own folder next to the upper one has no permissions at all, and a script may take
// them from its own.
void open_up(const fs::path& folder) {
  std::error_code ignored;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, ignored);
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) {
      open_up(entry.path());
    }
  }
}

void remove_space(const fs::path& space) {
  std::error_code ignored;
  if (fs::exists(space, ignored)) {
    open_up(space);
    fs::remove_all(space, ignored);
  }
}

bool is_alive(const std::string& process) {
  pid_t id = 0;
  const auto parsed = std::from_chars(process.data(), process.data() + process.size(), id);
  return parsed.ec != std::errc() || id <= 0 || kill(id, 0) == 0 || errno == EPERM;
}

// Also where somebody else has made a folder of that name: then this place is not used.
bool make_root(const fs::path& root) {
  struct stat found {};
  return (mkdir(root.c_str(), kPrivate) == 0 || errno == EEXIST) &&
         lstat(root.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid();
}

std::vector<fs::path> roots() {
  const std::string name = "tune-shield-" + std::to_string(geteuid());
  return {
      fs::path("/var/tmp") / name, machine::runtime_folder() / name, fs::path("/dev/shm") / name};
}

}  // namespace

ShieldSpace::ShieldSpace(const Shield& shield) {
  if (shield.folders.empty()) {
    return;
  }
  for (const fs::path& root : roots()) {
    const bool overlaps =
        std::any_of(shield.folders.begin(), shield.folders.end(), [&](const fs::path& folder) {
          return is_within(root, folder) || is_within(folder, root);
        });
    if (overlaps || !make_root(root)) {
      continue;
    }
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(root, ignored)) {
      if (!is_alive(entry.path().filename().string())) {
        remove_space(entry.path());
      }
    }
    const fs::path own = root / std::to_string(getpid());
    remove_space(own);  // of a process that had our number
    if (mkdir(own.c_str(), kPrivate) == 0) {
      places_.push_back(own);
    }
  }
}

void ShieldSpace::remove() {
  for (const fs::path& place : places_) {
    remove_space(place);
  }
}

// ---------------------------------------------------------------------------------- mounts

namespace {

std::string failed(const char* what) {
  return std::string(what) + ": " + std::generic_category().message(errno);
}

bool write_line(const char* file, const std::string& text) {
  const int descriptor = open(file, O_WRONLY | O_CLOEXEC);
  const bool is_written = descriptor >= 0 && write(descriptor, text.data(), text.size()) ==
                                                 static_cast<ssize_t>(text.size());
  close(descriptor);
  return is_written;
}

// Root needs no name space of users; everybody else is root in his own for as long as it takes, and
// stays who he is.
std::string unshare_mounts(bool& has_user_space) {
  has_user_space = unshare(CLONE_NEWNS) != 0;
  if (!has_user_space) {
    return "";
  }
  const std::string user = std::to_string(geteuid()), group = std::to_string(getegid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
    return failed("unshare");
  }
  write_line("/proc/self/setgroups", "deny");  // older kernels have no such file
  if (!write_line("/proc/self/uid_map", user + " " + user + " 1") ||
      !write_line("/proc/self/gid_map", group + " " + group + " 1")) {
    return failed("uid_map");
  }
  return "";
}

// As an option of overlay: a colon separates folders, a comma options.
std::string escaped(const fs::path& path) {
  std::string text;
  for (const char c : path.string()) {
    text += c == ':' || c == ',' || c == '\\' ? "\\" + std::string(1, c) : std::string(1, c);
  }
  return text;
}

// "\040" is a space, in the list of mounts.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(&text[i + 1], &text[i + 4], code, 8).ec == std::errc()) {
      plain += static_cast<char>(code);
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// File systems that are mounted below the folder, which an overlay of the folder would not show.
std::vector<fs::path> mounts_below(const fs::path& folder) {
  std::vector<fs::path> found;
  std::ifstream list("/proc/self/mountinfo");
  std::string skipped, point, rest;
  while (list >> skipped >> skipped >> skipped >> skipped >> point && std::getline(list, rest)) {
    const fs::path path = unescaped(point);
    const bool is_known = std::any_of(
        found.begin(), found.end(), [&](const fs::path& other) { return is_within(path, other); });
    if (path != folder && is_within(path, folder) && !is_known) {
      found.push_back(path);
    }
  }
  return found;
}

// A part of the tree as it is now, to be put over what covers it later.
struct KeptTree {
  fs::path path;
  int tree = -1;
};

// Numbers and flags of linux/mount.h, which older headers of glibc lack.
constexpr long kOpenTree = 428, kMoveMount = 429;
constexpr unsigned kClone = 1, kEmptyPath = 4, kRecursive = 0x8000;

KeptTree keep(const fs::path& tree, const fs::path& path) {
  const auto flags = kClone | kRecursive | static_cast<unsigned>(O_CLOEXEC);
  return {path, static_cast<int>(syscall(kOpenTree, AT_FDCWD, tree.c_str(), flags))};
}

bool put_back(const KeptTree& kept) {
  const bool is_back =
      kept.tree >= 0 &&
      syscall(kMoveMount, kept.tree, "", AT_FDCWD, kept.path.c_str(), kEmptyPath) == 0;
  close(kept.tree);
  return is_back;
}

bool cover(const fs::path& folder, const fs::path& space, bool has_user_space) {
  const fs::path upper = space / "upper", work = space / "work";
  if ((mkdir(space.c_str(), kPrivate) != 0 && errno != EEXIST) ||
      (mkdir(upper.c_str(), kPrivate) != 0 && errno != EEXIST) ||
      (mkdir(work.c_str(), kPrivate) != 0 && errno != EEXIST)) {
    return false;
  }
  struct stat mode {};
  if (stat(folder.c_str(), &mode) == 0) {
    (void)chmod(upper.c_str(), mode.st_mode & 07777);  // the folder itself shows this one's
  }
  const std::string options = "lowerdir=" + escaped(folder) + ",upperdir=" + escaped(upper) +
                              ",workdir=" + escaped(work) + (has_user_space ? ",userxattr" : "");
  return mount("overlay", folder.c_str(), "overlay", 0, options.c_str()) == 0;
}

// A folder within another is covered with that.
std::vector<fs::path> outermost(const std::vector<fs::path>& folders) {
  std::vector<fs::path> outer;
  for (const fs::path& folder : folders) {
    const bool is_inner = std::any_of(folders.begin(), folders.end(), [&](const fs::path& other) {
      return other != folder && is_within(folder, other);
    });
    if (!is_inner && std::find(outer.begin(), outer.end(), folder) == outer.end()) {
      outer.push_back(folder);
    }
  }
  return outer;
}

}  // namespace

std::string raise_shield(const Shield& wanted, const std::vector<fs::path>& places) {
  if (getenv("TUNE_NO_OVERLAY") != nullptr) {
    return "TUNE_NO_OVERLAY is set";
  }
  const Shield shield = {outermost(wanted.folders), wanted.kept, wanted.stand_ins};
  bool has_user_space = false;
  if (std::string problem = unshare_mounts(has_user_space); !problem.empty()) {
    return problem;
  }
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return failed("mount");
  }
  std::vector<KeptTree> trees;
  for (const fs::path& folder : shield.folders) {
    for (const fs::path& mounted : mounts_below(folder)) {
      trees.push_back(keep(mounted, mounted));
    }
  }
  const bool is_kept_below =
      std::any_of(shield.folders.begin(), shield.folders.end(), [&](const fs::path& folder) {
        return is_within(shield.kept, folder);
      });
  if (is_kept_below) {
    trees.push_back(keep(shield.kept, shield.kept));
  }
  for (const StandIn& stand_in : shield.stand_ins) {
    trees.push_back(keep(stand_in.text, stand_in.file));
  }
  errno = ENOENT;
  for (std::size_t i = 0; i < shield.folders.size(); ++i) {
    const bool is_covered = std::any_of(places.begin(), places.end(), [&](const fs::path& place) {
      return cover(shield.folders[i], place / std::to_string(i), has_user_space);
    });
    if (!is_covered) {
      return failed("overlay");
    }
  }
  for (const KeptTree& tree : trees) {
    if (!put_back(tree)) {
      return tree.path.string() + ": " + failed("move_mount");
    }
  }
  return "";
}

std::string shield_variable(const Shield& shield) {
  struct stat view {};
  const bool is_known = shield.exists() && stat("/proc/self/ns/mnt", &view) == 0;
  return "TUNE_SHIELD=" + (is_known ? std::to_string(view.st_ino) : "");
}

std::string obstacle_of(const Shield& shield) {
  std::array<int, 2> pipe{-1, -1};
  if (!shield.exists() || pipe2(pipe.data(), O_CLOEXEC) != 0) {
    return "";  // whoever raises it will say so
  }
  const ShieldSpace space(shield);
  const pid_t child = fork();
  if (child == 0) {
    const std::string obstacle = raise_shield(shield, space.places());
    (void)!write(pipe[1], obstacle.data(), obstacle.size());
    _exit(0);
  }
  close(pipe[1]);
  std::array<char, 252> text{};
  const ssize_t bytes = child < 0 ? 0 : read(pipe[0], text.data(), text.size());
  close(pipe[0]);
  if (child > 0) {
    waitpid(child, nullptr, 0);
  }
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(bytes, 0))};
}

}  // namespace tune::script
