#include "measure/revision/workshop.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/units.h"
#include "measure/revision/repository.h"
#include "measure/revision/submodules.h"
#include "measure/runner/environment.h"
#include "measure/runner/run_program.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <system_error>
#include <utility>
#include <vector>

namespace tune::revision {

namespace {

// CC may hold a launcher before the compiler, so its words are split as make would.
constexpr const char* kQuestions = R"(
for tool in "${CC:-cc}" "${CXX:-c++}" "${CUDACXX:-nvcc}" ld cmake ninja make; do
  echo "== $tool"
  $tool --version
done 2>&1
env | grep -E '^((C|CXX|CPP|LD|CUDA)FLAGS|CC|CXX|CUDACXX|AR|LD|CMAKE_[A-Za-z_]*|CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|LIBRARY_PATH|PKG_CONFIG_PATH|TUNE_TORCH_DIR|SOURCE_DATE_EPOCH)=' | sort
)";

}  // namespace

std::string describe_toolchain(const std::filesystem::path& folder, const std::atomic<int>* stop) {
  constexpr std::int64_t kLongestNs = 60'000'000'000;
  const runner::ProgramRun run = runner::run_program(
      {.command = {.program = "/bin/sh",
                   .arguments = {"-c", kQuestions},
                   .environment = runner::user_environment(variables_of_hooks(), {"LC_ALL=C"}),
                   .folder = folder,
                   .second = runner::SecondPipe::answer},
       .timeout_ns = kLongestNs,
       .stop = stop});
  if (run.was_stopped) {
    throw Stopped();
  }
  return run.answer;
}

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLongestBuildNs = 3'600'000'000'000;
constexpr std::size_t kLogBytes = 1 << 20;
constexpr std::size_t kShownLines = 30;
constexpr std::size_t kKeptTrees = 4;

[[noreturn]] void complain(const fs::path& path,
                           const std::string& problem,
                           const std::error_code& failed) {
  throw Error(Error::Parts{path.string(), problem, failed.message(), ""});
}

std::string last_lines(const std::string& text, std::size_t count) {
  std::size_t begin = text.size();
  for (std::size_t line = 0; line <= count && begin != std::string::npos && begin > 0; ++line) {
    begin = text.rfind('\n', begin - 1);
  }
  return begin == std::string::npos || begin == 0 ? text : text.substr(begin + 1);
}

// With a fixed moment in place of now, compilers write the same bytes into the same program twice.
std::vector<std::string> build_environment() {
  std::vector<std::string> variables = runner::user_environment(variables_of_hooks(), {});
  const bool has_moment =
      std::any_of(variables.begin(), variables.end(), [](const std::string& entry) {
        return entry.starts_with("SOURCE_DATE_EPOCH=");
      });
  if (!has_moment) {
    variables.emplace_back("SOURCE_DATE_EPOCH=946684800");  // 2000-01-01
  }
  return variables;
}

}  // namespace

Workshop::Workshop(WorkshopSettings settings) : settings_(std::move(settings)) {
  std::error_code failed;
  fs::create_directories(settings_.folder / "built", failed);
  if (failed) {
    complain(settings_.folder, "cannot be made", failed);
  }
  has_worktree_ = true;  // of somebody who was killed, perhaps
  clear();
}

Workshop::~Workshop() {
  try {
    settings_.repository.stop = nullptr;  // what stops a gate must not keep it from tidying up
    clear();
  } catch (const std::exception&) {
    // The next gate finds what is left, and removes it.
  }
}

fs::path Workshop::place_of(const std::string& key) const {
  return settings_.folder / "built" / key;
}

std::string Workshop::key_of(const TreeOrder& order) const {
  const std::string made_by =
      order.command.empty()
          ? ""
          : order.folder.generic_string() + "\n" + order.command + "\n" + settings_.toolchain;
  constexpr std::size_t kEnough = 32;
  return sha256_hex("1\n" + tree().string() + "\n" + order.revision.commit + "\n" + made_by)
      .substr(0, kEnough);
}

void Workshop::make(const std::string& side, const TreeOrder& order) {
  const std::string key = key_of(order);
  const fs::path place = place_of(key);
  const std::string what = side + ", " + order.revision.text();
  const bool is_ours =
      std::any_of(keys_.begin(), keys_.end(), [&](const auto& made) { return made.second == key; });
  std::error_code ignored;
  if (settings_.builds_anew && !is_ours) {
    fs::remove_all(place, ignored);
  }
  if (fs::is_directory(place, ignored)) {
    if (settings_.tell && !order.command.empty()) {
      settings_.tell("the " + what + ", is built already");
    }
    fs::last_write_time(place, fs::file_time_type::clock::now(), ignored);
  } else {
    if (settings_.tell) {
      settings_.tell((order.command.empty() ? "checking out the " : "building the ") + what +
                     (order.command.empty() ? "" : ": " + order.command));
    }
    check_out(side, order);
    build(side, order);
    keep(key);
  }
  keys_[side] = key;
}

void Workshop::check_out(const std::string& side, const TreeOrder& order) {
  clear();
  has_worktree_ = true;
  // Forced twice: also in place of one that git was killed while making.
  const GitAnswer answer = ask_git(
      settings_.repository.top,
      {"worktree", "add", "--force", "--force", "--detach", tree().string(), order.revision.commit},
      settings_.repository.stop);
  const std::string why =
      answer.is_yes ? check_out_submodules(settings_.repository, tree()) : answer.message;
  if (!answer.is_yes || !why.empty()) {
    throw BuildFailed(
        Error::Parts{
            "the " + side + ", " + order.revision.text(), "cannot be checked out", why, ""},
        side,
        "");
  }
}

void Workshop::build(const std::string& side, const TreeOrder& order) const {
  if (order.command.empty()) {
    return;
  }
  const std::int64_t start_ns = monotonic_ns();
  const auto show = [&] {
    if (settings_.tick) {
      settings_.tick("building the " + side + ": " + format_time(monotonic_ns() - start_ns));
    }
  };
  const runner::ProgramRun run =
      runner::run_program({.command = {.program = "/bin/sh",
                                       .arguments = {"-c", order.command},
                                       .environment = build_environment(),
                                       .folder = tree() / order.folder,
                                       .second = runner::SecondPipe::none},
                           .timeout_ns = kLongestBuildNs,
                           .stop = settings_.repository.stop,
                           .output_bytes = kLogBytes,
                           .on_tick = show});
  if (run.was_stopped) {
    throw Stopped();
  }
  const fs::path log = settings_.folder / ("build-" + side + ".log");
  write_file_synced(log, run.output);
  const bool is_built = !run.was_late && !run.end.signal && run.end.exit_code == 0;
  if (!is_built) {
    const std::string why = run.was_late     ? "it took more than an hour"
                            : run.end.signal ? "signal " + std::to_string(*run.end.signal)
                                             : "exit code " + std::to_string(run.end.exit_code);
    throw BuildFailed(
        Error::Parts{"the " + side + ", " + order.revision.text(),
                     "cannot be built",
                     "`" + order.command + "`: " + why + "; all of its output is in " +
                         log.string() + "; it ran in a fresh checkout, where nothing is configured",
                     ""},
        side,
        last_lines(run.output, kShownLines));
  }
}

// From a working tree of git to a folder of ours; it is complete or not there.
void Workshop::keep(const std::string& key) {
  std::error_code failed;
  forget_submodules(tree());
  fs::remove(tree() / ".git", failed);
  if (!failed) {
    fs::rename(tree(), place_of(key), failed);
  }
  if (failed) {
    complain(tree(), "cannot be kept", failed);
  }
  clear();
}

void Workshop::enter(const std::string& side) {
  const auto key = keys_.find(side);
  TUNE_ASSERT(key != keys_.end());
  std::error_code failed;
  const fs::path target = fs::path("built") / key->second;
  if (fs::is_symlink(tree(), failed) && fs::read_symlink(tree(), failed) == target) {
    return;
  }
  fs::remove(tree(), failed);
  failed.clear();
  fs::create_directory_symlink(target, tree(), failed);
  if (failed) {
    complain(tree(), "cannot be linked to " + target.string(), failed);
  }
}

void Workshop::clear() {
  std::error_code failed;
  fs::remove_all(tree(), failed);  // of a link, the link
  if (has_worktree_) {
    // Most often git says that there is none.
    ask_git(settings_.repository.top,
            {"worktree", "remove", "--force", "--force", tree().string()},
            settings_.repository.stop);
    has_worktree_ = false;
  }
}

void Workshop::keep_newest() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> others;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(settings_.folder / "built", failed)) {
    const std::string name = entry.path().filename().string();
    const bool is_ours = std::any_of(
        keys_.begin(), keys_.end(), [&](const auto& made) { return made.second == name; });
    if (!is_ours) {
      std::error_code ignored;
      others.emplace_back(fs::last_write_time(entry.path(), ignored), entry.path());
    }
  }
  std::sort(others.rbegin(), others.rend());
  for (std::size_t i = kKeptTrees - std::min(kKeptTrees, keys_.size()); i < others.size(); ++i) {
    fs::remove_all(others[i].second, failed);
  }
}

}  // namespace tune::revision
