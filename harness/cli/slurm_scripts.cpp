#include "cli/slurm_scripts.h"

#include "report/run_facts.h"

#include <system_error>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> tune_words() {
  std::error_code failed;
  return {fs::read_symlink("/proc/self/exe", failed).string(), "run"};
}

// A ledger keeps the budget that a run began with; who goes on may have been given another.
void add_budget(const SlurmState& state, std::vector<std::string>& words) {
  for (const std::string& assignment : state.overrides) {
    if (assignment.starts_with("budget=")) {
      words.insert(words.end(), {"--set", assignment});
    }
  }
}

// In the names of logs Slurm puts something in place of % and a letter.
std::string in_pattern(const fs::path& folder) {
  std::string text;
  for (const char c : folder.string()) {
    text += c == '%' ? "%%" : std::string(1, c);
  }
  return text;
}

}  // namespace

// `exec`, so that a signal to the job reaches tune itself.
std::string shards_script(const fs::path& run, const SlurmState& state) {
  std::vector<std::string> begin = tune_words();
  begin.push_back(state.scenario);
  for (const std::string& assignment : state.overrides) {
    begin.insert(begin.end(), {"--set", assignment});
  }
  std::vector<std::string> go_on = tune_words();
  add_budget(state, go_on);
  for (std::vector<std::string>* words : {&begin, &go_on}) {
    words->insert(words->end(), {"--progress", "never"});
    if (state.fail_fast) {
      words->push_back("--fail-fast");
    }
    if (!state.rules.empty()) {
      words->insert(words->end(), {"--rules", state.rules});
    }
  }
  // Started by hand it has no number. A folder without a ledger: tune itself begins anew or
  // refuses.
  return "#!/bin/bash\n# One shard a task, as tune run --executor slurm hands it in.\n"
         "case ${SLURM_ARRAY_TASK_ID:-} in\n  '' | *[!0-9]*)\n"
         "    echo 'shards.sh: SLURM_ARRAY_TASK_ID names no shard (it is for tasks of an array). " +
         std::string("tune run --resume RUN --executor slurm?' >&2\n    exit 2 ;;\nesac\n") +
         "run=" + report::command_line({(run / "shards").string()}) +
         "/$SLURM_ARRAY_TASK_ID\n"
         "if [ -s \"$run/ledger.jsonl\" ]; then\n  exec " +
         report::command_line(go_on) +
         " --resume \"$run\"\nfi\n"
         "rm -f \"$run/ledger.jsonl\"  # empty: whoever began it got no further\nexec " +
         report::command_line(begin) + " --shard \"$SLURM_ARRAY_TASK_ID/" +
         std::to_string(state.shards) + "\" -o \"$run\"\n";
}

std::string confirm_script(const fs::path& run, const SlurmState& state) {
  std::vector<std::string> words = tune_words();
  words.insert(words.end(), {"--resume", run.string(), "--progress", "never"});
  add_budget(state, words);
  if (state.fail_fast) {
    words.push_back("--fail-fast");
  }
  if (!state.rules.empty()) {
    words.insert(words.end(), {"--rules", state.rules});
  }
  return "#!/bin/bash\n# Fresh pairs on one node, as tune run --executor slurm hands it "
         "in.\nexec " +
         report::command_line(words) + "\n";
}

std::vector<std::string> usual_arguments(const fs::path& run, const std::string& log) {
  return {"--job-name=tune",
          "--nodes=1",
          "--exclusive",
          "--signal=B:TERM@30",
          "--open-mode=append",
          "--chdir=" + run.string(),
          "--output=" + in_pattern(slurm_folder(run)) + "/" + log};
}

}  // namespace tune::cli
