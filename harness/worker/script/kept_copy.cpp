#include "worker/script/kept_copy.h"

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <set>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tune::script {

namespace {

namespace fs = std::filesystem;

// A trial of a run is in <run>/trials/<id>.
fs::path folder_of_run(const fs::path& trial) {
  const bool is_in_run = trial.parent_path().filename() == "trials";
  return is_in_run ? trial.parent_path().parent_path() : trial;
}

// "os.mkdir /out": /out.
fs::path path_in(const std::string& written) {
  const std::size_t slash = written.find('/');
  return slash == std::string::npos ? fs::path() : fs::path(written.substr(slash));
}

}  // namespace

KeptCopy::KeptCopy(const Shield& shield, const std::string& obstacle, const Limits& limits)
    : folders_(shield.folders), own_(folder_of_run(shield.kept)), obstacle_(obstacle) {
  for (fs::path& folder : folders_) {
    folder = folder.has_filename() ? folder : folder.parent_path();  // without a slash at its end
  }
  before_ = entries_now();
  check_limits(limits);
  std::string name = (fs::path("/var/tmp") / "tune-copy-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw_failed_call(name, "cannot be made", errno);
  }
  place_ = name;
  std::size_t number = 0;
  for (auto& [path, entry] : before_) {
    std::error_code failed;
    if (entry.type == fs::file_type::regular) {
      entry.copy = place_ / std::to_string(number++);
      fs::copy_file(path, entry.copy, failed);
    } else if (entry.type == fs::file_type::symlink) {
      entry.copy = fs::read_symlink(path, failed);
    }
    if (failed && fs::exists(fs::symlink_status(path))) {
      fs::remove_all(place_, failed);
      throw Error(Error::Parts{path.string(),
                               "cannot be copied",
                               "overlays are not allowed here: " + obstacle_,
                               "name only what the script writes: workload: {shield: [out]}"});
    }
  }
}

KeptCopy::~KeptCopy() {
  if (!place_.empty()) {
    std::error_code ignored;
    fs::remove_all(place_, ignored);
  }
}

KeptCopy::Entries KeptCopy::entries_now() const {
  Entries entries;
  for (const fs::path& folder : folders_) {
    std::error_code failed;
    fs::recursive_directory_iterator at(
        folder, fs::directory_options::skip_permission_denied, failed);
    for (const fs::recursive_directory_iterator end; !failed && at != end; at.increment(failed)) {
      const fs::path name = at->path().filename();
      if (name == ".git" || name == "tune-runs" || at->path() == own_) {
        at.disable_recursion_pending();
        continue;
      }
      std::error_code gone;
      Entry entry;
      entry.type = at->symlink_status(gone).type();
      if (entry.type == fs::file_type::regular) {
        entry.bytes = at->file_size(gone);
        entry.moment = at->last_write_time(gone).time_since_epoch().count();
      }
      if (!gone) {
        entries.emplace(at->path(), std::move(entry));
      }
    }
  }
  return entries;
}

void KeptCopy::check_limits(const Limits& limits) const {
  std::uintmax_t bytes = 0;
  std::vector<std::pair<std::uintmax_t, fs::path>> largest;
  for (const auto& [path, entry] : before_) {
    bytes += entry.bytes;
    largest.emplace_back(entry.bytes, path);
  }
  if (bytes <= static_cast<std::uintmax_t>(limits.bytes) &&
      before_.size() <= static_cast<std::size_t>(limits.entries)) {
    return;
  }
  constexpr std::size_t kNamed = 5;
  std::stable_sort(largest.begin(), largest.end(), [](const auto& one, const auto& other) {
    return one.first > other.first;
  });
  largest.resize(std::min(largest.size(), kNamed));
  std::string list;
  for (const auto& [size, path] : largest) {
    list += (list.empty() ? "" : ", ") + path.lexically_relative(folders_.front()).string() + " " +
            format_bytes(static_cast<std::int64_t>(size));
  }
  throw Error(Error::Parts{
      folders_.front().string(),
      "cannot be shielded from what the script writes",
      "overlays are not allowed here (" + obstacle_ + "), and a copy of " +
          std::to_string(before_.size()) + " files and folders, " +
          format_bytes(static_cast<std::int64_t>(bytes)) + ", is too large: " + list,
      "name only the folders that it writes to, workload: {shield: [out]}, or let every trial "
      "write its files, with --no-shield"});
}

bool KeptCopy::restore(const fs::path& path, const Entry& entry) const {
  std::error_code failed;
  if (fs::symlink_status(path, failed).type() != entry.type) {
    fs::remove(path, failed);  // of a folder only one that is empty by now
  }
  failed.clear();
  if (entry.type == fs::file_type::directory) {
    fs::create_directories(path, failed);
    return !failed;
  }
  const fs::path part = path.string() + ".tune-part";
  if (entry.type == fs::file_type::symlink) {
    fs::create_symlink(entry.copy, part, failed);
  } else if (entry.type == fs::file_type::regular) {
    fs::copy_file(entry.copy, part, fs::copy_options::overwrite_existing, failed);
    if (!failed) {
      fs::last_write_time(
          part, fs::file_time_type(fs::file_time_type::duration(entry.moment)), failed);
    }
  }
  if (!failed) {
    fs::rename(part, path, failed);
  }
  return !failed;
}

// Itself, a folder that has come with it, or what is below one that is named. Where that was there
// before, only what is gone is meant: folders are "made" that exist.
bool KeptCopy::is_of_trial(const fs::path& path,
                           const std::set<fs::path>& named,
                           bool is_gone) const {
  return std::any_of(named.begin(), named.end(), [&](const fs::path& each) {
    const bool was_there =
        before_.contains(each) || std::count(folders_.begin(), folders_.end(), each) > 0;
    return each == path || is_within(each, path) ||
           (is_within(path, each) && (is_gone || !was_there));
  });
}

void KeptCopy::undo(const std::vector<std::string>& written) {
  std::set<fs::path> named;
  for (const std::string& each : written) {
    if (const fs::path path = path_in(each).lexically_normal(); !path.empty()) {
      named.insert(path);
    }
  }
  const Entries now = entries_now();
  for (const auto& [path, entry] : now) {
    if (before_.contains(path)) {
      continue;
    }
    if (is_of_trial(path, named, false)) {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    } else {
      left_.push_back(path.string() + " came during the trial, and not from the script's Python");
    }
  }
  std::vector<std::string> lost;
  for (const auto& [path, entry] : before_) {
    const auto found = now.find(path);
    const bool is_same = found != now.end() && found->second.type == entry.type &&
                         found->second.bytes == entry.bytes && found->second.moment == entry.moment;
    if (is_same) {
      continue;
    }
    if (is_of_trial(path, named, found == now.end())) {
      if (!restore(path, entry)) {
        lost.push_back(path.string() + " (its copy: " + entry.copy.string() + ")");
      }
    } else {
      left_.push_back(path.string() + " changed during the trial, and not by the script's Python");
    }
  }
  if (!lost.empty()) {
    const std::string copies = std::exchange(place_, fs::path()).string();  // nobody removes them
    throw Error(Error::Parts{lost.front(),
                             "cannot be given back as it was before the trial",
                             std::to_string(lost.size()) + " such files; what they were is kept",
                             "copy what you need from " + copies + ", and remove that folder"});
  }
  std::error_code ignored;
  fs::remove_all(place_, ignored);  // also where a signal ends us next
}

void KeptCopy::add_notes(std::vector<std::string>& notes) const {
  constexpr std::size_t kMost = 20;
  std::uintmax_t bytes = 0;
  for (const auto& [path, entry] : before_) {
    bytes += entry.bytes;
  }
  notes.push_back("overlays are not allowed here (" + obstacle_ +
                  "): what the script's Python wrote in " + folders_.front().string() +
                  " was undone with a copy of " + format_bytes(static_cast<std::int64_t>(bytes)));
  const auto named = static_cast<std::ptrdiff_t>(std::min(left_.size(), kMost));
  notes.insert(notes.end(), left_.begin(), left_.begin() + named);
}

}  // namespace tune::script
