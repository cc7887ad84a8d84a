#include "worker/rank/rank_processes.h"

#include "base/background_thread.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units.h"
#include "trial/worker_lines.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tune::worker {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLook(100);

// What happens once belongs to rank 0 alone: checkpoints are written, steps recorded by one
// process.
trial::TrialSpec spec_of_rank(const trial::TrialSpec& spec, std::int64_t rank) {
  trial::TrialSpec own = spec;
  own.rank = rank;
  own.folder = folder_of_rank(spec.folder, rank);
  own.workload.checkpoint_every = 0;
  own.profile.reset();
  return own;
}

// Without what an earlier try at this trial has left.
RankPage prepare_page(const trial::TrialSpec& spec) {
  std::error_code ignored;
  fs::remove(fs::path(spec.folder) / "ranks-store", ignored);
  return RankPage::make(spec.folder, trial::rank_count(spec));
}

bool is_named(const std::string& variable, std::string_view name) {
  return variable.starts_with(std::string(name) + "=");
}

std::vector<std::string> environment_of_rank(std::int64_t rank) {
  std::vector<std::string> variables;
  for (const char* const* variable = environ; *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  std::erase_if(variables, [](const std::string& variable) {
    return is_named(variable, "TUNE_PARENT") || is_named(variable, "CUDA_VISIBLE_DEVICES");
  });
  variables.push_back("TUNE_PARENT=" + std::to_string(getpid()));
  variables.push_back("CUDA_VISIBLE_DEVICES=" +
                      gpu_of_rank(std::getenv("CUDA_VISIBLE_DEVICES"), rank));
  return variables;
}

// As exec takes them: ended by a null.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  list.reserve(texts.size() + 1);
  for (std::string& text : texts) {
    list.push_back(text.data());
  }
  list.push_back(nullptr);
  return list;
}

}  // namespace

std::string gpu_of_rank(const char* visible_devices, std::int64_t rank) {
  if (visible_devices == nullptr) {
    return std::to_string(rank);
  }
  std::string_view list = visible_devices;
  for (std::int64_t i = 0; i < rank; ++i) {
    const std::size_t comma = list.find(',');
    if (comma == std::string_view::npos) {
      return "";
    }
    list.remove_prefix(comma + 1);
  }
  return std::string(list.substr(0, list.find(',')));
}

RankProcesses::RankProcesses(const trial::TrialSpec& spec,
                             std::function<void(const trial::Failure&)> on_loss)
    : spec_(spec), on_loss_(std::move(on_loss)), page_(prepare_page(spec)) {
  constexpr std::int64_t kPatienceNs = 10'000'000'000;
  patience_ns_ = std::clamp<std::int64_t>(spec.timeout_ns / 4, 1, kPatienceNs);
  const std::int64_t ranks = trial::rank_count(spec);
  ids_.reserve(static_cast<std::size_t>(ranks));
  for (std::int64_t rank = 1; rank < ranks; ++rank) {
    start(spec, rank);
  }
  has_ended_.assign(ids_.size(), false);
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { watch(); });
}

RankProcesses::~RankProcesses() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    if (!has_ended_[i]) {
      kill(ids_[i], SIGKILL);
      waitpid(ids_[i], nullptr, 0);
    }
  }
  std::error_code ignored;
  fs::remove(page_.file(), ignored);
}

void RankProcesses::start(const trial::TrialSpec& spec, std::int64_t rank) {
  const trial::TrialSpec own = spec_of_rank(spec, rank);
  make_folders(own.folder);
  std::error_code failed;
  fs::remove(fs::path(own.folder) / "reply.json", failed);
  const fs::path spec_file = fs::path(own.folder) / "spec.json";
  write_file_synced(spec_file, trial::to_json(own));
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  std::vector<std::string> words = {program.string(), spec_file.string()};
  std::vector<std::string> variables = environment_of_rank(rank);
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  // Phases are those of rank 0.
  posix_spawn_file_actions_addopen(&actions, trial::kPhaseDescriptor, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addclose(&actions, trial::kPhaseDescriptor);
  int id = 0;
  const int problem = posix_spawn(
      &id, program.c_str(), &actions, nullptr, pointers(words).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) {
    throw_failed_call(program, "cannot be started", problem);
  }
  ids_.push_back(id);
}

// Whoever fails because a rank is gone knows of it before this thread does.
void RankProcesses::watch() {
  constexpr std::chrono::seconds kGrace(3);
  for (;;) {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, kLook, [this] { return is_over_; })) {
      return;
    }
    if (!loss_) {
      loss_ = find_loss();
      if (!loss_) {
        say_who_is_waited_for();
        continue;
      }
    }
    changed_.notify_all();
    if (changed_.wait_for(lock, kGrace, [this] { return is_over_ || !is_ours_to_tell_; })) {
      return;
    }
    on_loss_(*loss_);
  }
}

// A rank that failed while it waited has lost another one, whose end says more, and comes within
// moments.
std::optional<trial::Failure> RankProcesses::find_loss() {
  constexpr std::int64_t kMomentsNs = 1'000'000'000;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    if (has_ended_[i]) {
      continue;
    }
    auto found = end_of(static_cast<std::int64_t>(i) + 1);
    if (found && !found->is_consequence) {
      return found->failure;
    }
    if (found && !consequence_) {
      consequence_ = std::move(found->failure);
      consequence_ns_ = monotonic_ns();
    }
  }
  return consequence_ && monotonic_ns() - consequence_ns_ > kMomentsNs ? consequence_
                                                                       : std::nullopt;
}

// Nothing: it runs, or it has ended as it should.
std::optional<RankProcesses::End> RankProcesses::end_of(std::int64_t rank) {
  const auto index = static_cast<std::size_t>(rank - 1);
  int status = 0;
  if (waitpid(ids_[index], &status, WNOHANG) != ids_[index]) {
    return std::nullopt;
  }
  has_ended_[index] = true;
  const std::string name = "rank " + std::to_string(rank);
  const fs::path file = fs::path(folder_of_rank(spec_.folder, rank)) / "reply.json";
  try {
    const trial::TrialReply reply = trial::parse_trial_reply(read_kept_file(file), file.string());
    if (reply.failure) {
      return End{{reply.failure->kind, name + ": " + reply.failure->message},
                 page_.is_waiting(rank)};
    }
  } catch (const Error&) {  // it wrote none
  }
  if (WIFSIGNALED(status)) {
    const bool is_memory = WTERMSIG(status) == SIGKILL;
    return End{{is_memory ? "out-of-memory" : "threw",
                (is_memory ? "out-of-memory (probable): " : "") + name + " was killed by " +
                    signal_name(WTERMSIG(status))}};
  }
  if (WEXITSTATUS(status) != 0) {
    return End{{"threw", name + " ended with exit code " + std::to_string(WEXITSTATUS(status))}};
  }
  return may_end_ ? std::nullopt : std::optional(End{{"threw", name + " ended before the others"}});
}

void RankProcesses::say_who_is_waited_for() {
  const std::int64_t still_ns = monotonic_ns() - page_.last_move_ns();
  if (still_ns < patience_ns_) {
    told_ns_ = 0;
    return;
  }
  if (may_end_ || still_ns < 2 * told_ns_) {
    return;
  }
  told_ns_ = still_ns;
  const std::string line =
      std::string(trial::kNoStepLine) + format_time(still_ns) + "; " + page_.describe() + "\n";
  (void)!write(STDERR_FILENO, line.data(), line.size());
}

trial::Failure RankProcesses::cause_of(trial::Failure own) {
  constexpr std::chrono::seconds kMoments(2);
  std::unique_lock lock(mutex_);
  if (page_.is_waiting(0)) {
    changed_.wait_for(lock, kMoments, [this] { return loss_.has_value(); });
  }
  is_ours_to_tell_ = false;
  changed_.notify_all();
  return page_.is_waiting(0) && loss_ ? *loss_ : std::move(own);
}

void RankProcesses::allow_to_end() {
  const std::lock_guard lock(mutex_);
  may_end_ = true;
}

// The result is safe, whatever becomes of them.
void RankProcesses::wait_for_end() {
  constexpr std::int64_t kLongestNs = 5'000'000'000;
  const std::int64_t start_ns = monotonic_ns();
  std::unique_lock lock(mutex_);
  is_ours_to_tell_ = false;
  while (std::find(has_ended_.begin(), has_ended_.end(), false) != has_ended_.end() &&
         monotonic_ns() - start_ns < kLongestNs) {
    find_loss();
    changed_.wait_for(lock, std::chrono::milliseconds(1));
  }
}

}  // namespace tune::worker
