#include "worker/script/script_process.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "machine/cpu_list.h"
#include "machine/preloaded_library.h"
#include "machine/processes.h"
#include "trial/environment_knob.h"
#include "trial/worker_lines.h"
#include "worker/script/command_words.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace tune::script {

namespace {

// ---------------------------------------------------------------------------------- environment

using Pair = std::pair<std::string, std::string>;

// Nothing of a trial leaves the machine, and none is mistaken for a run.
std::vector<Pair> variables_of_trial(const std::filesystem::path& folder) {
  const std::string trackers = (folder / "trackers").string();
  return {{"TUNE_TRIAL", folder.string()},
          {"WANDB_MODE", "offline"},
          {"WANDB_DIR", trackers},
          {"WANDB_SILENT", "true"},
          {"MLFLOW_TRACKING_URI", "file://" + trackers + "/mlflow"},
          {"COMET_MODE", "offline"},
          {"COMET_OFFLINE_DIRECTORY", trackers},
          {"NEPTUNE_MODE", "offline"},
          {"CLEARML_OFFLINE_MODE", "1"},
          {"HF_HUB_DISABLE_TELEMETRY", "1"}};
}

bool has_name(std::string_view entry, std::string_view name) {
  return entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
}

std::vector<std::string> script_environment(const char* const* environment,
                                            const std::filesystem::path& agent,
                                            const std::vector<Pair>& own) {
  std::vector<std::string> variables;
  std::string path = "PYTHONPATH=" + agent.string();
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const bool is_replaced = std::any_of(own.begin(), own.end(), [&](const Pair& variable) {
      return has_name(entry, variable.first);
    });
    if (has_name(entry, "PYTHONPATH")) {
      const std::string_view own_path = entry.substr(entry.find('=') + 1);
      path += (own_path.empty() ? "" : ":") + std::string(own_path);  // an empty one is the folder
    } else if (!is_replaced && !has_name(entry, "TUNE_PARENT")) {
      variables.emplace_back(entry);
    }
  }
  variables.push_back(std::move(path));
  for (const auto& [name, value] : own) {
    std::string& variable = variables.emplace_back(name);
    variable += '=';
    variable += value;
  }
  return variables;
}

void add_form(const trial::Script& script, ScriptCommand& command) {
  const trial::AppliedForm& form = *script.applied;
  for (const std::string& option : form.options) {
    add_word(option, command.words);
  }
  for (const std::string& file : form.files) {
    command.shield.stand_ins.push_back(
        {std::filesystem::path(script.folder) / file, std::filesystem::path(form.copies) / file});
  }
}

bool is_python(const std::string& word) {
  const std::size_t slash = word.rfind('/');
  return word.compare(slash == std::string::npos ? 0 : slash + 1, 6, "python") == 0;
}

}  // namespace

ScriptCommand script_command(const trial::TrialSpec& spec,
                             const std::filesystem::path& agent,
                             const std::filesystem::path& folder,
                             const char* const* environment) {
  const trial::Script& script = spec.workload.script;
  ScriptCommand command;
  command.words = script.command;
  command.folder = script.folder;
  command.shield.folders.assign(script.shield.begin(), script.shield.end());
  command.shield.kept = spec.folder;
  std::vector<Pair> variables = variables_of_trial(folder);
  if (!script.stop_at.empty()) {  // else the line comes when a buffer is full
    variables.emplace_back("PYTHONUNBUFFERED", "1");
  }
  if (script.applied) {
    add_form(script, command);
    variables.insert(
        variables.end(), script.applied->environment.begin(), script.applied->environment.end());
  } else {
    const auto set = machine::with_preloaded_library(trial::variables_of(spec.knobs));
    variables.insert(variables.end(), set.begin(), set.end());
    for (const auto& [name, value] : trial::changed_settings(script, spec.knobs)) {
      const auto flag = script.flags.find(name);
      if (flag != script.flags.end()) {
        add_option(flag->second, value, command.words);
      }
    }
  }
  command.environment = script_environment(environment, agent, variables);
  if (const auto* const cpus = std::get_if<std::string>(&spec.knobs.at("cpu_affinity"))) {
    command.cpus = *cpus;
  }
  return command;
}

trial::KnobSettings injected_settings(const trial::TrialSpec& spec) {
  if (spec.workload.script.applied) {
    return {};
  }
  trial::KnobSettings settings = trial::changed_settings(spec.workload.script, spec.knobs);
  settings.erase("cpu_affinity");
  for (const auto& [name, flag] : spec.workload.script.flags) {
    settings.erase(name);
  }
  for (const auto& [name, value] : trial::environment_knobs(settings)) {
    settings.erase(name);
  }
  return settings;
}

std::string why_not_attached(const std::vector<std::string>& command) {
  const std::vector<std::string> words = plain_words(command);
  // It may follow a launcher: env, uv run, conda run, exec.
  std::size_t python = 0;
  while (python < words.size() && !is_python(words[python]) && !words[python].ends_with(".py")) {
    ++python;
  }
  for (std::size_t i = python + 1;
       i < words.size() && words[i].size() > 1 && words[i][0] == '-' && is_python(words[python]);
       ++i) {
    const std::string& word = words[i];
    if (word[1] == '-' || word == "-m" || word == "-c") {
      break;
    }
    const std::size_t found = word.find_first_of("IES", 1);
    const bool is_argument = word[1] == 'W' || word[1] == 'X';
    if (found != std::string::npos && !is_argument) {
      return word +
             " keeps Python from loading tune's agent (-I and -E ignore PYTHONPATH, -S "
             "leaves sitecustomize out)";
    }
    if (is_argument && word.size() == 2) {
      ++i;  // its value is the next word
    }
  }
  return "";
}

// ---------------------------------------------------------------------------------- the process

namespace {

// What a handler of signals may look at.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<pid_t> group_that_runs = 0;
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> is_asked_to_end = false;
static_assert(std::atomic<pid_t>::is_always_lock_free);

extern "C" void end_with_script(int /*signal*/) {
  is_asked_to_end = true;
  if (const pid_t group = group_that_runs; group > 0) {
    ::kill(-group, SIGKILL);
  }
}

[[noreturn]] void end_by_sigterm() {
  (void)std::signal(SIGTERM, SIG_DFL);
  (void)std::raise(SIGTERM);
  _exit(1);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  list.reserve(texts.size() + 1);
  for (const std::string& text : texts) {
    list.push_back(const_cast<char*>(text.c_str()));
  }
  list.push_back(nullptr);
  return list;
}

struct Start {
  const ScriptCommand& command;
  const std::vector<std::filesystem::path>& places;  // for what a shielded script writes
  cpu_set_t cpus{};
  bool has_cpus = false;
};

// What kept the script from starting, through a pipe that exec closes.
struct Obstacle {
  int problem = 0;
  std::array<char, 252> shield{};  // why there is none; "" otherwise
};

bool takes_output(int descriptor) {
  return descriptor < 0 || (dup2(descriptor, STDOUT_FILENO) == STDOUT_FILENO &&
                            dup2(descriptor, STDERR_FILENO) == STDERR_FILENO);
}

// In the child, which has one thread as its parent has.
[[noreturn]] void become_script(const Start& start, int pipe) {
  Obstacle obstacle;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  (void)std::signal(SIGTERM, SIG_DFL);
  (void)std::signal(SIGPIPE, SIG_DFL);
  (void)std::signal(SIGXFSZ, SIG_DFL);
  close(trial::kPhaseDescriptor);
  const Shield& shield = start.command.shield;
  const std::string unshielded = shield.exists() ? raise_shield(shield, start.places) : "";
  unshielded.copy(obstacle.shield.data(), obstacle.shield.size() - 1);
  const int nothing = open("/dev/null", O_RDONLY);
  const bool is_ready =
      unshielded.empty() && nothing >= 0 && dup2(nothing, STDIN_FILENO) == STDIN_FILENO &&
      takes_output(start.command.output) && chdir(start.command.folder.c_str()) == 0 &&
      (!start.has_cpus || sched_setaffinity(0, sizeof start.cpus, &start.cpus) == 0);
  if (is_ready) {
    std::vector<std::string> environment = start.command.environment;
    environment.push_back(shield_variable(shield));
    const auto words = pointers(start.command.words);
    execvpe(words.front(), words.data(), pointers(environment).data());
  }
  obstacle.problem = errno;
  (void)!write(pipe, &obstacle, sizeof obstacle);
  _exit(127);
}

bool read_cpus(const std::string& list, cpu_set_t& cpus) {
  CPU_ZERO(&cpus);
  if (list.empty()) {
    return false;
  }
  const auto wanted = machine::parse_cpu_list(list);
  if (!wanted) {
    throw Error(Error::Parts{"cpu_affinity", "is no CPU list", "is '" + list + "'", "0-1,4"});
  }
  for (const int cpu : *wanted) {
    if (cpu >= 0 && cpu < CPU_SETSIZE) {
      CPU_SET(cpu, &cpus);
    }
  }
  return !wanted->empty();
}

[[noreturn]] void refuse_unshielded(const Shield& shield, const std::string& why) {
  if (shield.folders.empty()) {
    throw Error(Error::Parts{shield.stand_ins.front().file.string(),
                             "cannot be replaced for one trial alone",
                             why,
                             "apply the change, and run the script again"});
  }
  throw Error(Error::Parts{shield.folders.front().string(),
                           "cannot be shielded from what the script writes",
                           why,
                           "let every trial write its files, with --no-shield or workload: "
                           "{shield: []}"});
}

}  // namespace

void take_script_along() {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // the parent's death comes as this too
  struct sigaction act {};
  act.sa_handler = end_with_script;
  sigaction(SIGTERM, &act, nullptr);
}

ScriptProcess::ScriptProcess(const ScriptCommand& command)
    : space_(command.shield),
      at_our_end_(command.at_our_end),
      other_children_(machine::child_processes()) {
  std::array<int, 2> pipe{-1, -1};
  if (pipe2(pipe.data(), O_CLOEXEC) != 0) {
    throw_failed_call(command.words.front(), "cannot be started", errno);
  }
  Start start{.command = command, .places = space_.places()};
  start.has_cpus = read_cpus(command.cpus, start.cpus);
  prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  process_ = fork();
  Obstacle obstacle;
  obstacle.problem = process_ < 0 ? errno : 0;
  if (process_ == 0) {
    become_script(start, pipe[1]);
  }
  close(pipe[1]);
  if (process_ > 0) {
    setpgid(process_, process_);
    while (read(pipe[0], &obstacle, sizeof obstacle) < 0 && errno == EINTR) {
    }
  }
  close(pipe[0]);
  if (obstacle.problem != 0) {
    if (process_ > 0) {
      reap();
    }
    prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_);
    if (obstacle.shield.front() != '\0') {
      refuse_unshielded(command.shield, obstacle.shield.data());
    }
    throw_failed_call(command.words.front(), "cannot be started", obstacle.problem);
  }
  group_that_runs = process_;
  ended_ = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));  // -1 on old kernels
}

ScriptProcess::~ScriptProcess() {
  kill();
  if (ended_ >= 0) {
    close(ended_);
  }
  prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_);
}

void ScriptProcess::kill() {
  std::vector<int> spared = other_children_;
  group_that_runs = 0;
  if (!is_reaped_) {  // afterwards the number may belong to somebody else
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);  // it may have left its group
    reap();
  }
  if (!is_reaped_) {
    spared.insert(std::upper_bound(spared.begin(), spared.end(), process_), process_);
  }
  machine::kill_children(spared);
}

// A process that waits for a dead disk, or that has become another user, does not end for us.
void ScriptProcess::reap() {
  constexpr std::int64_t kLookNs = 1'000'000, kLongestNs = 5'000'000'000;
  for (std::int64_t waited_ns = 0; waited_ns < kLongestNs && !has_ended_; waited_ns += kLookNs) {
    look(kLookNs);
  }
  is_reaped_ = has_ended_ && waitpid(process_, nullptr, WNOHANG) == process_;
}

void ScriptProcess::look(std::int64_t longest_ns) {
  const timespec rest = {longest_ns / 1'000'000'000, longest_ns % 1'000'000'000};
  pollfd end = {ended_, POLLIN, 0};
  ppoll(&end, ended_ >= 0 ? 1 : 0, &rest, nullptr);
  siginfo_t info{};
  const int answer = waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT);
  has_ended_ = answer == 0 && info.si_pid == process_;
  was_signalled_ = has_ended_ && info.si_code != CLD_EXITED;
  status_ = has_ended_ ? info.si_status : 0;
}

bool ScriptProcess::wait(std::int64_t longest_ns) {
  if (!has_ended_) {
    look(longest_ns);
  }
  if (is_asked_to_end) {
    kill();
    if (at_our_end_) {
      at_our_end_();
    }
    space_.remove();
    end_by_sigterm();
  }
  return has_ended_;
}

std::string ScriptProcess::how_it_failed() const {
  if (!was_signalled_) {
    return status_ == 0 ? "" : "exit code " + std::to_string(status_);
  }
  return signal_name(status_);
}

}  // namespace tune::script
