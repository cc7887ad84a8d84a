// clang-format off
// fake-worker <spec.json> | --describe: speaks the trial protocol without LibTorch. Phase lines are real, the
// measured times are invented, so a trial takes milliseconds. Equal script, equal trial id: equal
// reply, except for the clock's origin.
//
// The script is JSON; the variable TUNE_FAKE_SCRIPT has its path or its text. Everything
// is optional:
// {
//   "seed": 1,
//   "samples_per_s": 100,               speed when no effect applies
//   "effects": {"amp": {"bf16": 1.4}},  knob -> value as a scenario writes it -> factor
//   "interactions": [{"when": {"amp": "bf16", "num_workers": "2"}, "factor": 0.9}],
//   "environment": "shared",            one of ../noise/environment.h; consecutive trials run on one
//                                       machine, whose age is in trials/machine_ns of the run
//   "noise": {"slice_sd": 0.01, "process_sd": 0.005},    or only this much, relative, normal
//   "stalls": {"every_slices": 5, "ns": 300000000},      waiting for data
//   "memory": {"base_bytes": 104857600, "bytes_per_sample": 1048576,
//              "limit_bytes": 0},       a larger batch: typed out-of-memory; 0: no limit
//   "parts": {"data_wait": 0.2, "transfer": 0.05, "backward": 0.45, "optimizer": 0.04,
//             "other": 0.01,            of a step; the rest is forward
//             "communication": 0.02,    of the backward pass, that no computation hides; of several
//             "straggler": 0},          devices, and how much later the last one has its data
//                                      trials "ceiling...": on resident batches without the wait, or
//                                      with the loader alone nothing but the wait
//   "cells": {"candidate": {           besides its knobs; cell_traits.h
//       "slowdown": 0.05, "drift": 0.1, "tail": 0.3,     relative, of every step, to the end, of
//                                      every third slice
//       "memory": 1.1, "other_cpus": 0.5, "disturbed_slices": 2, "disturbed_attempts": 1,
//       "sentinel": 1.03, "has_sentinel": true, "has_structure": true, "operators": 61,
//       "steady": true, "loses_numbers": false, "loss": 1.0}},
//   "profile": {"dilation": 1.05,       for trials that request one; a small trace is written
//               "lost_events": 0, "cap_reached": false,
//               "reason": ""},          why there is none
//   "own_knobs": {"width": [1, 64]},    whole numbers that a plug-in declares, of workloads that name one
//   "gpu": "Fake 4090",                 trials with cuda compute on it, and --describe names it
//   "no_gpu": {"kind": "driver_too_old", "text": "..."},   why there is none, if there is no "gpu"
//   "log": "/path",                     "<id> <cell>\n" is appended at every start
//   "factor_file": "built/libspeed.so", next to the folder of the data: a number by which the
//                                       speed is multiplied; imitates the result of a build
//   "behaviours": [{                    the first that matches the trial is done
//       "cell": "c02", "id": "r1-c02", "id_begins": "r1-", "round": 1,    all given must match
//       "phase": "measure",             done when it begins ("profiled": its reply is written);
//                                       "start": before the first phase line,
//                                       "reply": after the reply, before `done`
//       "do": ...}]
// }
// "do" is one of
//   crash            by "signal" ("SIGSEGV")
//   kill             by SIGKILL, as the kernel does
//   exit             with "code"
//   no-room          says that the disk is full, and ends
//   bad-alloc        prints it and aborts
//   hang             until it is killed
//   slow             really sleeps "ns", continues
//   output           prints "bytes", continues
//   close-pipes      sleeps "ns" with them closed, continues
//   grandchild       leaves a process that ignores SIGTERM ("leaves_group": in a new session)
//   refuse           replies why ("message")
//   out-of-memory    replies so ("message")
//   throw            replies that a plug-in threw ("message")
//   die-after-done   by "signal", after its reply
//   hang-after-done
//   garbled          "how": not-json empty truncated duplicate protocol missing mistyped negative
//                    sum other-id | no-reply no-done | phase-word phase-order phase-long
//                    phase-time
// "ignores_term": true makes the worker itself ignore SIGTERM from then on.
// clang-format on

#include "base/clock.h"
#include "base/file.h"
#include "behaviour.h"
#include "description.h"
#include "invented_profile.h"
#include "invented_reply.h"
#include "invented_script.h"
#include "machine_age.h"
#include "script.h"
#include "trial/worker_lines.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>

namespace tune::fake {

namespace {

bool say(const std::string& line) {
  return write(trial::kPhaseDescriptor, line.data(), line.size()) >= 0;
}

class FakeTrial {
 public:
  FakeTrial(Script script, trial::TrialSpec spec)
      : script_(std::move(script)),
        spec_(std::move(spec)),
        behaviour_(behaviour_for(script_, spec_)) {}

  void run() {
    act_at("start");
    begin("setup");
    noise::DriftTimeline drift = drift_of(script_);
    MachineAge age(spec_.folder);
    trial::TrialReply reply = invent_reply(script_, spec_, {monotonic_ns(), age.ns()}, drift);
    if (reply.failure) {
      trial::TrialReply refusal;
      refusal.id = spec_.id;
      refusal.facts = std::move(reply.facts);
      refusal.failure = std::move(reply.failure);
      reply = std::move(refusal);
    } else {
      begin("first-batch");
      begin("warmup");
      begin("measure");
      add_script(spec_, reply);
      keep_facts(spec_);
    }
    begin("write");
    const bool is_profiled = spec_.profile && !reply.failure;
    if (is_profiled) {
      reply.profile.emplace().reason = trial::kUnfinishedProfile;
    }
    write_reply(reply);
    if (script_.environment.drift_sd > 0) {
      age.add(duration_ns(reply));
    }
    act_at("reply");
    if (is_profiled) {
      begin("profiled");
      reply.profile = invent_profile(script_, spec_, reply);
      write_reply(reply);
    }
    if (!garbles("no-done")) {
      begin("done");
    }
  }

 private:
  bool does(const char* action) const { return behaviour_ && behaviour_->action == action; }
  bool garbles(const char* how) const { return does("garbled") && behaviour_->how == how; }

  void begin(const std::string& phase) const {
    const bool is_beyond_all_time = phase == "warmup" && garbles("phase-time");
    const std::string now =
        is_beyond_all_time ? "9223372036854775807" : std::to_string(monotonic_ns());
    say(phase + " " + now + "\n");
    if (phase == "warmup" && garbles("phase-word")) {
      say("wramup " + now + "\n");
    } else if (phase == "warmup" && garbles("phase-order")) {
      say("setup " + now + "\n");
    } else if (phase == "warmup" && garbles("phase-long")) {
      say(std::string(100'000, 'p'));
    }
    act_at(phase);
  }

  void act_at(const std::string& phase) const {
    if (does("die-after-done") || does("hang-after-done")) {
      if (phase == "done") {
        Behaviour last = *behaviour_;
        last.action = does("hang-after-done") ? "hang" : "crash";
        misbehave(last);
      }
    } else if (behaviour_ && phase == behaviour_->phase && !does("garbled") && !does("refuse") &&
               !does("out-of-memory") && !does("throw")) {
      misbehave(*behaviour_);
    }
  }

  void write_reply(const trial::TrialReply& reply) const {
    if (garbles("no-reply")) {
      return;
    }
    std::string text = to_json(reply);
    if (does("garbled") && !behaviour_->how.starts_with("phase-") && !garbles("no-done")) {
      text = garbled(text, behaviour_->how);
    }
    const std::filesystem::path folder = spec_.folder;
    std::ofstream draft(folder / "reply.draft", std::ios::binary);
    if (!draft && errno == ENOENT) {
      throw std::runtime_error("there is no " + spec_.folder);
    }
    if (!(draft << text) || !draft.flush()) {  // tests need no fsync
      tell_no_room(folder / "reply.json");
    }
    std::filesystem::rename(folder / "reply.draft", folder / "reply.json");
  }

  Script script_;
  trial::TrialSpec spec_;
  std::optional<Behaviour> behaviour_;
};

}  // namespace

}  // namespace tune::fake

int main(int argc, char** argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (argc != 2) {
    std::fprintf(stderr, "usage: fake-worker <spec.json> | --describe\n");
    return 2;
  }
  try {
    const char* const source = std::getenv("TUNE_FAKE_SCRIPT");
    tune::fake::Script script = tune::fake::read_script(source == nullptr ? "" : source);
    if (std::string_view(argv[1]) == "--describe") {
      std::fputs(tune::fake::describe(script).c_str(), stdout);
      return 0;
    }
    tune::trial::TrialSpec spec = tune::trial::parse_trial_spec(tune::read_file(argv[1]), argv[1]);
    if (!script.log.empty()) {
      std::ofstream(script.log, std::ios::app) << spec.id + " " + spec.cell + "\n";
    }
    tune::fake::FakeTrial(std::move(script), std::move(spec)).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fake-worker: %s\n", error.what());
    return 2;
  }
  return 0;
}
