#include "measure/runner/trial_outcome.h"

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "measure/runner/output_log.h"
#include "trial/worker_lines.h"

#include <array>
#include <csignal>
#include <filesystem>
#include <string_view>
#include <utility>

namespace tune::runner {

namespace {

constexpr std::array<std::pair<OutcomeKind, std::string_view>, 7> kNames = {
    {{OutcomeKind::completed, "completed"},
     {OutcomeKind::crashed, "crashed"},
     {OutcomeKind::timed_out, "timed-out"},
     {OutcomeKind::out_of_memory, "out-of-memory"},
     {OutcomeKind::refused, "refused"},
     {OutcomeKind::garbled, "garbled"},
     {OutcomeKind::interrupted, "interrupted"}}};

}  // namespace

std::string_view name(OutcomeKind kind) {
  for (const auto& [known, text] : kNames) {
    if (known == kind) {
      return text;
    }
  }
  return "";
}

std::optional<OutcomeKind> parse_outcome_kind(std::string_view name) {
  for (const auto& [kind, text] : kNames) {
    if (text == name) {
      return kind;
    }
  }
  return std::nullopt;
}

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestReply = 16 << 20;

ReadReply no_reply(std::string_view problem) {
  ReadReply none;
  none.problem = printable(problem);
  return none;
}

// The complaint without the name of the file, which the caller knows better.
std::string_view without_place(std::string_view complaint, const std::string& place) {
  if (complaint.starts_with(place + ": ")) {
    complaint.remove_prefix(place.size() + 2);
  }
  return complaint;
}

}  // namespace

ReadReply read_reply(const trial::TrialSpec& spec) {
  const fs::path file = fs::path(spec.folder) / "reply.json";
  try {
    const fs::file_type type = type_of_kept(file);
    if (type == fs::file_type::not_found) {
      ReadReply none = no_reply("no reply was written");
      none.is_missing = true;
      return none;
    }
    if (type != fs::file_type::regular) {  // a pipe would block us
      return no_reply("is not a file");
    }
    ReadReply read;
    read.reply = trial::parse_trial_reply(read_kept_file(file, kLargestReply), file.string());
    return read.reply->id == spec.id ? read : no_reply("id is that of another trial");
  } catch (const MachineError&) {
    throw;
  } catch (const Error& error) {
    return no_reply(without_place(error.what(), file.string()));
  }
}

namespace {

// The reply is being written, or is there.
bool may_be_written(std::string_view phase) {
  return phase == "write" || phase == "profiled" || phase == trial::kPhases.back();
}

// As the reason of an outcome.
std::string complaint(const ReadReply& answer) {
  return answer.is_missing || answer.problem.empty() ? answer.problem
                                                     : "reply.json: " + answer.problem;
}

void set(TrialOutcome& outcome, OutcomeKind kind, const std::string& reason) {
  outcome.kind = kind;
  outcome.reason = printable(reason);
}

void set_failure(TrialOutcome& outcome, const trial::Failure& failure) {
  set(outcome,
      failure.kind == "refused" ? OutcomeKind::refused
      : failure.kind == "threw" ? OutcomeKind::crashed
                                : OutcomeKind::out_of_memory,
      failure.message.empty() ? failure.kind : failure.message);
}

std::string where_of(const Evidence& seen) {
  return seen.phase.empty() ? " before its first phase" : " in phase " + seen.phase;
}

// Where the last line stands that begins so.
std::size_t last_line(const std::string& text, std::string_view begin) {
  const std::size_t line = text.rfind(begin);
  const bool is_begin = line != std::string::npos && (line == 0 || text[line - 1] == '\n');
  return is_begin ? line : std::string::npos;
}

// What the worker last said that it waits for: a file, perhaps, on a server that has gone; another
// rank.
std::string last_wait(const std::string& stderr_tail) {
  std::string text;
  for (const std::string_view begin : {trial::kStuckLine, trial::kNoStepLine}) {
    if (const std::size_t line = last_line(stderr_tail, begin); line != std::string::npos) {
      text += "; " + stderr_tail.substr(line, stderr_tail.find('\n', line) - line);
    }
  }
  return text;
}

// A signal to our whole group, from a terminal or from timeout(1), finds a worker that has not left
// the group yet. It is not the worker's fault.
bool ended_with_us(const Evidence& seen) {
  const int signal = seen.end.signal.value_or(0);
  return seen.stop_asked && seen.timed_out.empty() &&
         (signal == SIGTERM || signal == SIGINT || signal == SIGKILL);
}

bool comes_from_outside(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

// "" unless the worker says so.
std::string wanted_of_machine(const Evidence& seen, const std::string& stderr_tail) {
  const std::size_t line = stderr_tail.rfind(trial::kMachineLine);
  if (seen.end.signal || seen.end.exit_code != trial::kMachineExitCode ||
      line == std::string::npos) {
    return "";
  }
  const std::size_t begin = line + trial::kMachineLine.size();
  return stderr_tail.substr(begin, stderr_tail.find('\n', begin) - begin);
}

// It ended, not by us, before its reply was safe.
void set_early_end(TrialOutcome& outcome, const Evidence& seen, const ReadReply& answer) {
  const std::string where = where_of(seen);
  const int signal = seen.end.signal.value_or(0);
  outcome.was_killed = comes_from_outside(signal);
  if (signal == SIGKILL) {
    set(outcome,
        OutcomeKind::out_of_memory,
        (seen.kernel_killed ? "killed by the kernel: the machine ran out of memory"
                            : "out-of-memory (probable): killed by SIGKILL") +
            where);
  } else if (seen.wanted_memory && (signal != 0 || seen.end.exit_code != 0)) {
    set(outcome, OutcomeKind::out_of_memory, "memory could not be had" + where);
  } else if (signal != 0) {
    set(outcome, OutcomeKind::crashed, signal_name(signal) + where);
  } else if (seen.end.exit_code != 0) {
    set(outcome, OutcomeKind::crashed, "exit code " + std::to_string(seen.end.exit_code) + where);
  } else {
    const std::string problem = seen.phase_problem.empty() ? complaint(answer) : seen.phase_problem;
    set(outcome,
        OutcomeKind::garbled,
        problem.empty() ? "it ended" + where + " without saying that it was done" : problem);
  }
}

}  // namespace

void classify(const trial::TrialSpec& spec, const Evidence& seen, TrialOutcome& outcome) {
  ReadReply answer = read_reply(spec);
  const bool done = seen.phase == trial::kPhases.back();
  const bool written = may_be_written(seen.phase);
  const bool failed = answer.reply && answer.reply->failure;
  // The reply appears in one step, synced: where it is whole, the measured result is safe however
  // the worker ended.
  if (written && !failed && answer.reply && seen.phase_problem.empty()) {
    outcome.kind = OutcomeKind::completed;
    outcome.reply = std::move(answer.reply);
  } else if (!seen.interrupted.empty()) {
    set(outcome, OutcomeKind::interrupted, seen.interrupted);
  } else if (ended_with_us(seen)) {
    set(outcome, OutcomeKind::interrupted, "stopped" + where_of(seen));
  } else if (const std::string wanted = wanted_of_machine(seen, outcome.stderr_tail);
             !wanted.empty()) {
    throw MachineError(Error::Parts{spec.folder, "the worker could not continue", wanted, ""});
  } else if (failed) {
    set_failure(outcome, *answer.reply->failure);
  } else if (done) {
    set(outcome,
        OutcomeKind::garbled,
        seen.phase_problem.empty() ? complaint(answer) : seen.phase_problem);
  } else if (!seen.timed_out.empty()) {
    set(outcome, OutcomeKind::timed_out, seen.timed_out + last_wait(outcome.stderr_tail));
  } else {
    set_early_end(outcome, seen, answer);
  }
}

}  // namespace tune::runner
