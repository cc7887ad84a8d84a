#include "cli/script_change.h"

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cli/answer.h"
#include "cli/interruption.h"
#include "machine/agent_folder.h"
#include "machine/preloaded_library.h"
#include "machine/user_folders.h"
#include "measure/runner/environment.h"
#include "measure/runner/run_program.h"
#include "trial/environment_knob.h"
#include "trial/knob_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kCommand = "tune apply";
constexpr std::int64_t kLongestNs = 120'000'000'000;
constexpr std::int64_t kLargestFacts = 8 << 20;

// ---------------------------------------------------------------------------------- the facts

/// What one trial saw of the unchanged script.
struct Facts {
  fs::path file;
  std::vector<std::int64_t> training_loaders;
};

bool is_unchanged(const campaign::TrialRecord& trial) {
  return trial::changed_settings(trial.spec.workload.script, trial.spec.knobs).empty();
}

// From a baseline that sets nothing where there is one.
Facts facts_of(const ScriptRun& run) {
  const campaign::TrialRecord* found = nullptr;
  fs::path file, first;
  for (const campaign::TrialRecord& trial : run.trials) {
    const auto& reply = trial.outcome.reply;
    if (trial.spec.cell != "baseline" || !reply || !reply->script) {
      continue;
    }
    const fs::path facts = run.directory / "trials" / trial.spec.id / "agent" / "facts.0.json";
    first = first.empty() ? facts : first;
    std::error_code failed;
    if (fs::is_regular_file(facts, failed) && (found == nullptr || is_unchanged(trial))) {
      found = &trial;
      file = facts;
      if (is_unchanged(trial)) {
        break;
      }
    }
  }
  if (found == nullptr) {
    throw Error(Error::Parts{typed_path(run.directory),
                             "does not know its script any more",
                             first.empty()
                                 ? "no trial of its baseline completed"
                                 : "the facts of its trials are gone: " + short_path(first),
                             "tune run"});
  }
  return {file, found->outcome.reply->script->training_loaders};
}

// Named as a path, it must be there.
std::string python_of(const Facts& facts) {
  std::string python;
  read_fields(read_file(facts.file, kLargestFacts), short_path(facts.file), [&](Fields& fields) {
    fields.text("executable", python, 16'384);
  });
  if (python.find('/') == std::string::npos || access(python.c_str(), X_OK) != 0) {
    throw Error(Error::Parts{one_line(python.empty() ? "The Python of the script" : python),
                             "no longer exists",
                             "the trials of this run ran with it",
                             "tune run"});
  }
  return python;
}

// ---------------------------------------------------------------------------------- the question

// For this process alone; gone with the object.
class QuestionFolder {
 public:
  QuestionFolder() : path_(machine::runtime_folder() / ("change-" + std::to_string(getpid()))) {
    machine::make_private_folder(path_);
    machine::make_private_folder(path_ / "into");
  }
  ~QuestionFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  QuestionFolder(const QuestionFolder&) = delete;
  QuestionFolder& operator=(const QuestionFolder&) = delete;

  fs::path request() const { return path_ / "request.json"; }
  fs::path into() const { return path_ / "into"; }

 private:
  fs::path path_;
};

void write_request(const ScriptRun& run,
                   const trial::KnobSettings& knobs,
                   const Facts& facts,
                   const QuestionFolder& folder) {
  const trial::Script& script = run.scenario.workload.script;
  nlohmann::ordered_json request;
  request["facts"] = fs::absolute(facts.file).string();
  Fields fields(request);
  trial::KnobSettings written = knobs;
  trial::values_of(fields, "knobs", written);
  if (!facts.training_loaders.empty()) {
    request["training_loaders"] = facts.training_loaders;
  }
  request["flags"] = script.flags;
  request["folder"] = script.folder;
  request["into"] = folder.into().string();
  write_file_synced(folder.request(), json_text(request, 1) + "\n");
}

runner::ProgramRun ask_python(const std::string& python, const QuestionFolder& folder) {
  const Interruption interruption;
  const fs::path program = machine::agent_folder() / "tune_change";
  return runner::run_program(
      {.command = {.program = python,
                   .arguments = {"-I", program.string(), folder.request().string()},
                   .environment = runner::user_environment({}, {"LC_ALL=C.UTF-8"}),
                   .folder = folder.into().parent_path(),
                   .second = runner::SecondPipe::answer},
       .timeout_ns = kLongestNs,
       .stop = &interruption.level()});
}

// Its last line: a sentence, or what Python says of an error of ours.
std::string sentence_of(const runner::ProgramRun& run) {
  std::string text = run.output;
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  const std::size_t line = text.rfind('\n');
  return one_line(line == std::string::npos ? text : text.substr(line + 1));
}

[[noreturn]] void refuse(const ScriptRun& run, const std::string& why) {
  const std::string& model = run.scenario.workload.model;  // "script:train.py"
  throw Error(Error::Parts{
      kCommand, "cannot change " + one_line(model.substr(model.find(':') + 1)), why, ""});
}

// ---------------------------------------------------------------------------------- the answer

void fields_of(Fields& fields, KnobByHand& knob) {
  fields.text("knob", knob.knob);
  fields.text("why", knob.why);
  fields.whole_text("suggestion", knob.suggestion);
}

void environment_of(Fields& fields, ScriptChange& change) {
  fields.each_member("environment", [&](const std::string& name, const nlohmann::json& text) {
    if (text.is_string()) {
      change.environment.emplace(name, text.get<std::string>());
    }
  });
}

void sources_of(Fields& fields, ScriptChange& change) {
  fields.each_member("sources", [&](const std::string& name, const nlohmann::json& hashes) {
    SourceHashes& source = change.sources[name];
    Fields inner(hashes);
    inner.text("before", source.before);
    inner.text("observed", source.observed);
  });
}

// A name that leads out of the folder is none of tune_change's.
bool is_inside(const fs::path& name) {
  return name.is_relative() && !name.empty() && *name.lexically_normal().begin() != "..";
}

ScriptChange parsed(const nlohmann::json& answer, const QuestionFolder& folder) {
  ScriptChange change;
  Fields fields(answer);
  fields.text_list("flags", change.options);
  environment_of(fields, change);
  sources_of(fields, change);
  const fs::path diff = folder.into() / "change.diff";  // in the encodings of the files
  std::error_code failed;
  change.diff = fs::exists(diff, failed) ? read_file(diff) : "";
  fields.list("by_hand", change.by_hand, 1'000, [](Fields& inner, KnobByHand& knob) {
    fields_of(inner, knob);
  });
  fields.text_list("notes", change.notes);
  fields.each_member("files", [&](const std::string& name, const nlohmann::json&) {
    if (is_inside(name)) {
      change.files.emplace(name, read_file(folder.into() / "files" / name));
    }
  });
  return change;
}

fs::path path_of(const ScriptRun& run, const std::string& name) {
  return fs::path(run.scenario.workload.script.folder) / name;
}

// By content where the trial noted it, for editors, git and copies set times again; else by time.
bool has_changed(const fs::path& file, const SourceHashes& source, const fs::file_time_type& seen) {
  std::error_code failed;
  const auto written = fs::last_write_time(file, failed);
  if (is_of_machine(failed.value())) {
    throw_failed_call(file, "cannot be looked at", failed.value());
  }
  if (failed) {
    return true;
  }
  const std::string now = sha256_file_hex(file);
  return now != source.before ||
         (source.observed.empty() ? written > seen : now != source.observed);
}

}  // namespace

ScriptRun script_run(const campaign::CampaignResult& run) {
  return {run.directory, run.scenario, run.trials};
}

ScriptRun script_run(const campaign::RecordedRun& run) {
  return {run.directory, run.scenario, run.trials};
}

ScriptChange change_of_script(const ScriptRun& run, const trial::KnobSettings& knobs) {
  const Facts facts = facts_of(run);
  const std::string python = python_of(facts);
  const QuestionFolder folder;
  trial::KnobSettings asked_for = knobs;
  for (const auto& [name, value] : trial::environment_knobs(knobs)) {
    asked_for.erase(name);
  }
  write_request(run, asked_for, facts, folder);
  const runner::ProgramRun asked = ask_python(python, folder);
  if (const std::string problem = asked.problem(); !problem.empty()) {
    const std::string sentence = sentence_of(asked);
    refuse(run, asked.was_late || sentence.empty() ? problem : sentence);
  }
  const nlohmann::json answer = nlohmann::json::parse(asked.answer, nullptr, false);
  if (!answer.is_object()) {
    refuse(run, "the answer of " + one_line(python) + " is not a JSON object");
  }
  ScriptChange change = parsed(answer, folder);
  change.environment.merge(machine::with_preloaded_library(trial::variables_of(knobs)));
  return change;
}

std::vector<std::string> changed_files(const ScriptRun& run, const ScriptChange& change) {
  const fs::path facts = facts_of(run).file;
  std::error_code failed;
  const auto seen = fs::last_write_time(facts, failed);
  if (failed) {  // it has just been read
    throw MachineError({facts.string(), "cannot be looked at", failed.message(), ""});
  }
  std::vector<std::string> changed;
  for (const auto& [name, text] : change.files) {
    const auto source = change.sources.find(name);
    if (source == change.sources.end() || has_changed(path_of(run, name), source->second, seen)) {
      changed.push_back(name);
    }
  }
  return changed;
}

void write_change(const ScriptRun& run, const ScriptChange& change) {
  if (const auto changed = changed_files(run, change); !changed.empty()) {
    throw Error(Error::Parts{typed_path(path_of(run, changed.front())),
                             "has changed since it was measured, nothing was written",
                             "what was measured may not hold for it",
                             "tune apply without --write prints the change"});
  }
  std::map<std::string, std::string> before;
  for (const auto& [name, text] : change.files) {
    before.emplace(name, read_file(path_of(run, name)));
  }
  std::vector<std::string> written;
  try {
    for (const auto& [name, text] : change.files) {
      written.push_back(name);
      replace_file_synced(path_of(run, name), text);
    }
  } catch (...) {
    const std::exception_ptr failure = std::current_exception();
    written.pop_back();  // that one is as it was
    for (const std::string& name : written) {
      replace_file_synced(path_of(run, name), before.at(name));
    }
    std::rethrow_exception(failure);
  }
}

}  // namespace tune::cli
