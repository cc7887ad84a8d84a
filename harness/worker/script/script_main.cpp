#include "base/error.h"
#include "base/file.h"
#include "machine/agent_folder.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "trial/worker_lines.h"
#include "worker/parent.h"
#include "worker/script/perform_script_trial.h"
#include "worker/script/script_process.h"

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using tune::trial::TrialReply;
using tune::trial::TrialSpec;

int run(const fs::path& spec_file) {
  tune::worker::PhaseLines phases;
  tune::worker::become_a_good_child();
  tune::script::take_script_along();
  phases.begin("setup");
  fs::path folder = fs::absolute(spec_file).parent_path();
  TrialReply reply;
  reply.id = folder.filename().string();
  const auto save = [&](TrialReply& finished) {
    finished.phases = phases.spans();
    tune::write_file_synced(folder / "reply.json", tune::trial::to_json(finished));
  };
  try {
    const TrialSpec spec =
        tune::trial::parse_trial_spec(tune::read_file(spec_file), spec_file.string());
    reply.id = spec.id;
    folder = spec.folder;
    reply = tune::script::perform_script_trial(spec, tune::machine::agent_folder(), phases, save);
  } catch (const tune::MachineError&) {
    throw;  // no fault of the trial, which its reply would make it
  } catch (const tune::Error& error) {
    reply.failure = tune::trial::Failure{"refused", error.what()};
    phases.begin("write");
  }
  save(reply);
  phases.begin("done");
  return 0;
}

}  // namespace

// tune-script <spec.json> | --version: runs a trial of a Python script, as tune-worker runs one of
// a model.
int main(int argc, char** argv) {
  const std::string_view word = argc == 2 ? argv[1] : "";
  if (word == "--version") {
    (void)std::puts("tune-script " TUNE_VERSION);
    return 0;
  }
  if (word.empty() || word.starts_with('-')) {
    (void)std::fputs("usage: tune-script <spec.json> | --version\n", stderr);
    return 2;
  }
  try {
    return run(word);
  } catch (const tune::MachineError& error) {
    const std::string_view begin = tune::trial::kMachineLine;
    (void)std::fprintf(
        stderr, "%.*s%s\n", static_cast<int>(begin.size()), begin.data(), error.what());
    return tune::trial::kMachineExitCode;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "tune-script: %s\n", error.what());
    return 1;
  }
}
