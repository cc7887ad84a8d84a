#include "worker/script/agent_files.h"

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "trial/knob_json.h"
#include "trial/worker_lines.h"
#include "worker/script/note.h"
#include "worker/script/script_process.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace tune::script {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestFacts = 8 << 20, kLargestText = 1 << 20;

std::string orders(const trial::TrialSpec& spec) {
  constexpr int kStacksAfterS = 4;
  constexpr int kLongestRecordingS = 20;  // what is kept of longer steps is one of them
  nlohmann::ordered_json asked;
  Fields fields(asked);
  trial::KnobSettings injected = injected_settings(spec);
  trial::values_of(fields, "knobs", injected);
  asked["count"] = spec.workload.script.count;
  asked["parts"] = spec.workload.script.has_parts;
  asked["watch_files"] = spec.workload.script.is_watched;
  asked["worker_curve"] = spec.workload.script.is_watched && !spec.profile;
  asked["stacks_after"] = kStacksAfterS;
  if (spec.profile) {
    asked["profile"] = {{"wait", spec.profile->wait},
                        {"warmup", spec.profile->warmup},
                        {"active", spec.profile->active},
                        {"record_shapes", spec.profile->record_shapes},
                        {"profile_memory", spec.profile->profile_memory},
                        {"with_stack", spec.profile->with_stack},
                        {"limit_s", kLongestRecordingS},
                        {"lines", spec.workload.script.is_watched}};
  }
  return asked.dump(2) + "\n";
}

// Where there is none the agent could note nothing, and the script would train on and on.
void check_room(const fs::path& folder) {
  constexpr off_t kRing = 1 << 20;
  const fs::path file = folder / "room";
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int problem = descriptor < 0
                          ? errno
                          : posix_fallocate(descriptor, 0, static_cast<off_t>(kPageBytes) + kRing);
  if (descriptor >= 0) {
    close(descriptor);
    unlink(file.c_str());
  }
  if (problem != 0) {
    throw_failed_call(folder, "has no room for the notes of the script", problem);
  }
}

// "" where there is no such file, or something else of that name.
std::string text_of(const fs::path& file, std::int64_t limit) {
  std::error_code failed;
  return fs::is_regular_file(fs::symlink_status(file, failed)) ? read_file(file, limit) : "";
}

std::string text_if_any(const fs::path& file) {
  try {
    return text_of(file, kLargestText);
  } catch (const Error&) {
    return "";
  }
}

// The last line that begins so, without its end.
std::string_view last_line(std::string_view text, std::string_view begin) {
  std::string_view found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    found = line.starts_with(begin) ? line : found;
    at = end + 1;
  }
  return found;
}

}  // namespace

AgentFiles::AgentFiles(const trial::TrialSpec& spec)
    : folder_(fs::absolute(spec.folder) / "agent") {
  std::error_code failed;
  fs::remove_all(folder_,
                 failed);  // of an earlier try at this trial, which nobody may take for ours
  if (!failed) {
    fs::create_directories(folder_, failed);
  }
  if (failed) {
    throw_failed_call(folder_, "cannot be made", failed.value());
  }
  check_room(folder_);
  write_file_synced(folder_ / "spec.json", orders(spec));
}

bool AgentFiles::has_begun() const {
  std::error_code failed;
  return fs::exists(folder_ / "phases", failed);
}

std::optional<ScriptFacts> AgentFiles::facts() const {
  const std::string text = text_of(folder_ / "facts.0.json", kLargestFacts);
  return text.empty() ? std::nullopt : std::optional(parse_script_facts(text, "facts.0.json"));
}

std::optional<std::int64_t> AgentFiles::begin_of(std::string_view phase) const {
  const std::string text = text_if_any(folder_ / "phases");
  const std::string begin = std::string(phase) + " ";
  const std::string_view line = last_line(text, begin);
  std::int64_t moment_ns = 0;
  const char* const end = line.data() + line.size();
  const bool is_there = line.size() > begin.size();
  const auto read = is_there ? std::from_chars(line.data() + begin.size(), end, moment_ns)
                             : std::from_chars_result{nullptr, std::errc::invalid_argument};
  return read.ec == std::errc() && read.ptr == end && moment_ns > 0 ? std::optional(moment_ns)
                                                                    : std::nullopt;
}

void AgentFiles::tell_whereabouts(std::int64_t seconds) const {
  // On a line of its own, whatever the script has printed without an end.
  (void)std::fprintf(stderr,
                     "\n%s%llds; %s\n",
                     std::string(trial::kNoStepLine).c_str(),
                     static_cast<long long>(seconds),
                     whereabouts().c_str());
}

void AgentFiles::call_off() const {
  const int file = open((folder_ / "over").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) {
    close(file);
  }
}

std::optional<fs::path> AgentFiles::keep_trace(const std::string& name) const {
  const fs::path file = fs::path(name).filename();  // the script may have written the facts
  std::error_code failed;
  if (!file.string().starts_with("trace") ||
      !fs::is_regular_file(fs::symlink_status(folder_ / file, failed))) {
    return std::nullopt;
  }
  fs::path kept = folder_.parent_path() / file;
  fs::rename(folder_ / file, kept, failed);
  return failed ? std::nullopt : std::optional(kept);
}

void AgentFiles::forget_notes() const {
  std::error_code failed;
  for (std::int64_t rank = 0; !failed; ++rank) {
    const fs::path notes = folder_ / ("notes." + std::to_string(rank));
    if (!fs::remove(notes, failed)) {
      return;
    }
  }
}

std::string AgentFiles::whereabouts() const {
  if (!has_begun()) {
    return "no Python has begun yet that has loaded tune's agent";
  }
  std::error_code failed;
  fs::path newest;
  fs::file_time_type moment;
  for (fs::directory_iterator at(folder_, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->path().filename().string().starts_with("stacks.")) {
      std::error_code gone;
      const auto written = at->last_write_time(gone);
      if (!gone && (newest.empty() || written > moment)) {
        newest = at->path();
        moment = written;
      }
    }
  }
  constexpr std::string_view kPlace = "the script is in ";
  const std::string text = newest.empty() ? "" : text_if_any(newest);
  const std::string_view line = last_line(text, kPlace);
  return line.empty() ? "it is still importing torch, or has just done so" : std::string(line);
}

}  // namespace tune::script
