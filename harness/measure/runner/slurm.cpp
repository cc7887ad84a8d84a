#include "measure/runner/slurm.h"

#include "base/error.h"
#include "base/text.h"
#include "measure/runner/environment.h"
#include "measure/runner/output_log.h"
#include "measure/runner/run_program.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tune::runner {

namespace {

constexpr std::int64_t kLongestNs = 60'000'000'000;

ProgramRun run_slurm(const std::string& program, std::vector<std::string> arguments) {
  return run_program({.command = {.program = program,
                                  .arguments = std::move(arguments),
                                  .environment = user_environment({}, {}),
                                  .second = SecondPipe::answer},
                      .timeout_ns = kLongestNs});
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
    text.pop_back();
  }
  return text;
}

// All that was said on standard error, in one line.
std::string said(const ProgramRun& run) {
  std::string text = trimmed(printable(run.output));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.empty() ? run.problem() : text;
}

bool has_any(std::string_view text, const std::vector<std::string_view>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// sbatch ends with 1 whatever the reason is.
bool is_unavailable(const ProgramRun& run) {
  return run.was_late || has_any(run.output,
                                 {"Unable to contact slurm controller",
                                  "Unable to establish config",
                                  "Could not establish a configuration source",
                                  "invalid partition",
                                  "Invalid partition",
                                  "Batch job submission failed",
                                  "Connection refused",
                                  "timed out",
                                  "Munge",
                                  "munge"});
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// "17;cluster" -> "17"
std::string first_part(const std::string& text) {
  return text.substr(0, text.find_first_of(";\n"));
}

}  // namespace

SlurmJob submit_job(const std::vector<std::string>& arguments) {
  SlurmJob job;
  try {
    std::vector<std::string> words = {"--parsable"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const ProgramRun run = run_slurm("sbatch", std::move(words));
    if (!run.problem().empty()) {
      job.problem = said(run);
      job.is_unavailable = is_unavailable(run);
      return job;
    }
    job.id = first_part(run.answer);
    if (!is_number(job.id)) {
      job.problem = "it names no job: " + printable(job.id);
      job.is_unavailable = true;
    }
  } catch (const Error& error) {  // there is no such program
    job.problem = error.what();
    job.is_unavailable = true;
  }
  return job;
}

SlurmQueue ask_queue(const std::string& job) {
  SlurmQueue queue;
  try {
    const ProgramRun run =
        run_slurm("squeue", {"--noheader", "--array", "--jobs=" + job, "--format=%i|%T|%r"});
    if (!run.problem().empty()) {
      const bool is_forgotten = run.output.find("Invalid job id") != std::string::npos;
      queue.problem = is_forgotten ? "" : said(run);
      return queue;
    }
    for (const std::string& line : split(run.answer, '\n')) {
      const std::vector<std::string> parts = split(trimmed(line), '|');
      if (parts.size() >= 3) {
        queue.tasks.push_back({printable(parts[0]), printable(parts[1]), printable(parts[2])});
      }
    }
  } catch (const Error& error) {
    queue.problem = error.what();
  }
  return queue;
}

std::string describe_job(const std::string& task) {
  constexpr std::array<std::string_view, 4> kTold = {
      "JobState=", "Reason=", "ExitCode=", "NodeList="};
  std::string text;
  try {
    const ProgramRun run = run_slurm("scontrol", {"--oneliner", "show", "job", task});
    if (!run.problem().empty()) {
      return "";
    }
    for (const std::string& word : split(split(run.answer, '\n').front(), ' ')) {
      const bool is_told = std::any_of(kTold.begin(), kTold.end(), [&](std::string_view name) {
        return word.starts_with(name);
      });
      if (is_told) {
        text += (text.empty() ? "" : " ") + printable(word);
      }
    }
  } catch (const Error&) {
    return "";
  }
  return text;
}

void cancel_job(const std::string& job) {
  try {
    run_slurm("scancel", {job});
  } catch (const Error&) {  // gone since: then nothing can be cancelled
  }
}

}  // namespace tune::runner
