#include "measure/revision/submodules.h"

#include "measure/revision/repository.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace tune::revision {

namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 16;  // submodules of submodules of ...

struct Submodule {
  std::string name, path;
};

// Nothing of a file that anybody may have written leads out of the folder that it is below.
bool is_below(const std::string& path) {
  const fs::path normal = fs::path(path).lexically_normal();
  return !path.empty() && normal.is_relative() && *normal.begin() != ".." && normal != ".";
}

// "submodule.NAME.path<newline>PATH<zero>", once for each.
std::vector<Submodule> submodules_of(const fs::path& tree, const std::atomic<int>* stop) {
  const GitAnswer answer = ask_git(
      tree,
      {"config", "--null", "--file", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"},
      stop);
  std::vector<Submodule> submodules;
  constexpr std::string_view kBefore = "submodule.", kAfter = ".path";
  for (std::size_t begin = 0; begin < answer.text.size();) {
    const std::size_t end = std::min(answer.text.find('\0', begin), answer.text.size());
    const std::string entry = answer.text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t line = entry.find('\n');
    if (line == std::string::npos || line < kBefore.size() + kAfter.size()) {
      continue;
    }
    Submodule found{entry.substr(kBefore.size(), line - kBefore.size() - kAfter.size()),
                    entry.substr(line + 1)};
    if (is_below(found.name) && is_below(found.path)) {
      submodules.push_back(std::move(found));
    }
  }
  return submodules;
}

// What the tree's commit has in this place: "160000 commit <hash><tab><path>" for a submodule.
std::optional<std::string> commit_of(const fs::path& tree,
                                     const std::string& path,
                                     const std::atomic<int>* stop) {
  const GitAnswer answer = ask_git(tree, {"ls-tree", "HEAD", "--", path}, stop);
  constexpr std::string_view kCommit = "160000 commit ";
  if (!answer.is_yes || !answer.text.starts_with(kCommit)) {
    return std::nullopt;
  }
  const std::size_t end = answer.text.find('\t');
  return answer.text.substr(kCommit.size(), end - kCommit.size());
}

class CheckOut {
 public:
  CheckOut(const Submodule& submodule, std::string commit, fs::path objects, fs::path folder)
      : commit_(std::move(commit)),
        source_(std::move(objects)),
        folder_(std::move(folder)),
        name_("submodule " + submodule.path) {}

  // A clone of its own that borrows the objects: the user's one is only read.
  std::string run(const std::atomic<int>* stop) const {
    std::error_code failed;
    fs::create_directories(folder_, failed);
    constexpr std::size_t kLongHash = 64;
    const std::string format = commit_.size() == kLongHash ? "sha256" : "sha1";
    if (const GitAnswer made = ask_git(folder_, {"init", "-q", "--object-format=" + format}, stop);
        !made.is_yes) {
      return name_ + ": " + made.message;
    }
    borrow();
    if (const GitAnswer answer = check_out(stop); answer.is_yes || has_commit(stop)) {
      return answer.is_yes ? "" : name_ + ": " + answer.message;
    }
    const GitAnswer url = ask_git(source_, {"config", "--get", "remote.origin.url"}, stop);
    const GitAnswer fetched =
        ask_git(folder_, {"fetch", "-q", "--depth=1", url.text, commit_}, stop);
    const GitAnswer answer = fetched.is_yes ? check_out(stop) : fetched;
    constexpr std::size_t kShort = 12;
    return answer.is_yes ? ""
                         : name_ + ": its commit " + commit_.substr(0, kShort) +
                               " is not in this clone, and git says: " + answer.message;
  }

 private:
  void borrow() const {
    const fs::path own = folder_ / ".git";
    std::ofstream(own / "objects/info/alternates") << (source_ / "objects").string() << '\n';
    std::error_code ignored;
    fs::copy_file(source_ / "shallow", own / "shallow", ignored);  // where its history is cut off
  }

  bool has_commit(const std::atomic<int>* stop) const {
    return ask_git(folder_, {"cat-file", "-e", commit_ + "^{commit}"}, stop).is_yes;
  }

  GitAnswer check_out(const std::atomic<int>* stop) const {
    return ask_git(folder_, {"checkout", "-q", "--detach", "--force", commit_}, stop);
  }

  std::string commit_;
  fs::path source_, folder_;
  std::string name_;
};

// Where the clone keeps the repository of a submodule: below its .git, also when the submodule is
// checked out no more; of a linked working tree, and before git 1.7.8, only the checkout knows.
std::optional<fs::path> repository_of(const Submodule& submodule,
                                      const fs::path& git_folder,
                                      const fs::path& checkout,
                                      const std::atomic<int>* stop) {
  std::vector<fs::path> places = {git_folder / "modules" / submodule.name};
  std::error_code failed;
  const fs::path folder = checkout / submodule.path;
  if (fs::exists(folder / ".git", failed)) {
    const GitAnswer answer = ask_git(folder, {"rev-parse", "--absolute-git-dir"}, stop);
    places.emplace_back(answer.is_yes ? answer.text : "");
  }
  const auto found = std::find_if(places.begin(), places.end(), [&](const fs::path& place) {
    return !place.empty() && fs::is_directory(place / "objects", failed);
  });
  return found == places.end() ? std::nullopt : std::optional(*found);
}

std::string fill(const fs::path& tree,
                 const fs::path& git_folder,
                 const fs::path& checkout,
                 const std::atomic<int>* stop,
                 int depth) {
  std::error_code failed;
  if (depth == kDeepest || !fs::is_regular_file(tree / ".gitmodules", failed)) {
    return "";
  }
  for (const Submodule& submodule : submodules_of(tree, stop)) {
    const auto commit = commit_of(tree, submodule.path, stop);
    const auto source = repository_of(submodule, git_folder, checkout, stop);
    if (!commit || !source) {
      continue;
    }
    const fs::path folder = tree / submodule.path;
    std::string why = CheckOut(submodule, *commit, *source, folder).run(stop);
    if (why.empty()) {
      why = fill(folder, *source, checkout / submodule.path, stop, depth + 1);
    }
    if (!why.empty()) {
      return why;
    }
  }
  return "";
}

}  // namespace

void forget_submodules(const fs::path& tree) {
  std::error_code failed;
  if (!fs::is_regular_file(tree / ".gitmodules", failed)) {
    return;
  }
  for (const Submodule& submodule : submodules_of(tree, nullptr)) {
    const fs::path folder = tree / submodule.path;
    if (fs::is_directory(folder, failed) && !fs::is_symlink(folder, failed)) {
      forget_submodules(folder);
      fs::remove_all(folder / ".git", failed);
    }
  }
}

std::string check_out_submodules(const Repository& repository, const fs::path& tree) {
  return fill(tree, repository.common, repository.top, repository.stop, 0);
}

}  // namespace tune::revision
