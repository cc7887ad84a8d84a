#include "base/error.h"
#include "base/file.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "trial/worker_lines.h"
#include "worker/cuda_loader.h"
#include "worker/describe.h"
#include "worker/failure.h"
#include "worker/parent.h"
#include "worker/perform_trial.h"
#include "worker/probe/worker_probe.h"
#include "worker/rank/rank_processes.h"

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace {

using tune::trial::TrialReply;
using tune::trial::TrialSpec;

// An unreadable spec does not give its folder or its trial, but it is in that folder, which is
// named after the trial (trials/<id>/spec.json).
int run(const std::filesystem::path& spec_file) {
  tune::worker::PhaseLines phases;
  tune::worker::become_a_good_child();
  phases.begin("setup");
  TrialSpec spec;
  TrialReply reply;
  std::filesystem::path folder = std::filesystem::absolute(spec_file).parent_path();
  std::string id = folder.filename().string();
  tune::worker::CudaLoad cuda;  // outlives everything that computes on it
  std::string why_no_gpu;
  std::atomic<bool> is_safe = false;
  const auto save = [&](TrialReply& finished) {
    finished.phases = phases.spans();
    finished.facts.no_gpu = why_no_gpu;
    tune::write_file_synced(folder / "reply.json", tune::trial::to_json(finished));
    is_safe = !finished.failure;
  };
  const auto fail = [&](const tune::trial::Failure& failure) {
    TrialReply failed;
    failed.id = id;
    failed.failure = failure;
    phases.begin("write");
    (void)std::fprintf(stderr, "%s: %s\n", failure.kind.c_str(), failure.message.c_str());
    save(failed);
    phases.begin("done");
  };
  std::optional<tune::worker::RankProcesses> others;
  try {
    spec = tune::trial::parse_trial_spec(tune::read_file(spec_file), spec_file.string());
    id = spec.id;
    folder = spec.folder;
    if (spec.rank == 0 && tune::trial::rank_count(spec) > 1) {
      others.emplace(spec, [&](const tune::trial::Failure& loss) {
        if (!is_safe) {
          fail(loss);
        }
        _exit(is_safe ? 1 : 0);
      });
    }
    cuda = tune::worker::open_trial_device(spec.workload.device, tune::worker::usual_cuda_places());
    why_no_gpu = tune::worker::no_gpu(cuda.reason);
    spec.workload.device = cuda.plugin == nullptr ? "cpu" : "cuda";
    reply = tune::worker::perform_trial(
        spec, phases, save, cuda.plugin.get(), others ? &*others : nullptr);
  } catch (const tune::MachineError&) {
    throw;  // not the trial's fault, but a reply would say so
  } catch (...) {
    fail(tune::worker::failure_of_trial(others ? &*others : nullptr));
    return 0;
  }
  if (spec.rank == 0) {  // what the others have to say is in the reply of this one
    save(reply);
  }
  phases.begin("done");
  return 0;
}

int probe(std::string_view word) {
  const bool is_quick = word.starts_with("--probe-quick=");
  tune::worker::become_a_good_child();
  try {
    return tune::worker::write_probe(word.substr(word.find('=') + 1), is_quick);
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "tune-worker: %s\n", error.what());
    return 1;
  }
}

}  // namespace

// tune-worker <spec.json> | --probe=<file> | --describe | --version
int main(int argc, char** argv) {
  const std::string_view word = argc == 2 ? argv[1] : "";
  int code = 0;
  if (word == "--version") {
    (void)std::puts("tune-worker " TUNE_VERSION);
  } else if (word == "--describe") {
    const auto cuda = tune::worker::load_cuda(tune::worker::usual_cuda_places());
    (void)std::fputs(tune::worker::describe_worker(cuda).c_str(), stdout);
  } else if (word.starts_with("--probe=") || word.starts_with("--probe-quick=")) {
    code = probe(word);
  } else if (word.empty() || word.starts_with('-')) {
    (void)std::fputs("usage: tune-worker <spec.json> | --describe | --version\n", stderr);
    code = 2;
  } else {
    try {
      code = run(word);
    } catch (const tune::MachineError& error) {
      const std::string_view begin = tune::trial::kMachineLine;
      (void)std::fprintf(
          stderr, "%.*s%s\n", static_cast<int>(begin.size()), begin.data(), error.what());
      code = tune::trial::kMachineExitCode;
    } catch (const std::exception& error) {
      (void)std::fprintf(stderr, "tune-worker: %s\n", error.what());
      code = 1;
    }
  }
  (void)std::fflush(nullptr);
  _exit(code);  // a normal exit can crash while threads of torch still run
}
