#include "behaviour.h"

#include "trial/worker_lines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <sys/resource.h>
#include <unistd.h>

namespace tune::fake {

namespace {

void die_of(std::int64_t number) {
  const rlimit no_core{};
  setrlimit(RLIMIT_CORE, &no_core);
  const auto which = static_cast<int>(number);
  signal(which, SIG_DFL);
  raise(which);
}

[[noreturn]] void hang() {
  for (;;) {
    pause();
  }
}

void sleep_ns(std::int64_t ns) {
  timespec rest = {ns / 1'000'000'000, ns % 1'000'000'000};
  while (nanosleep(&rest, &rest) != 0) {
  }
}

void print(std::int64_t bytes) {
  const std::string line(1023, 'x');
  for (std::int64_t printed = 0; printed < bytes; printed += 1024) {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  std::fprintf(stderr, "the last line\n");
}

// A process that nobody waits for, that keeps our pipes open, and that must not survive the trial.
// Its id is printed, so that a test can look for it.
void leave_grandchild(const Behaviour& behaviour) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGTERM, SIG_IGN);
    if (behaviour.leaves_group) {
      setsid();
    }
    hang();
  }
  std::fprintf(stderr, "grandchild %d\n", child);
}

}  // namespace

void tell_no_room(const std::filesystem::path& file) {
  std::fprintf(stderr,
               "%s%s: cannot be written (No space left on device)\n",
               std::string(trial::kMachineLine).c_str(),
               file.c_str());
  _exit(trial::kMachineExitCode);
}

void misbehave(const Behaviour& behaviour) {
  if (behaviour.ignores_term) {
    signal(SIGTERM, SIG_IGN);
  }
  const std::string& action = behaviour.action;
  if (action == "crash" || action == "die-after-done") {
    die_of(behaviour.signal);
  } else if (action == "kill") {
    die_of(SIGKILL);
  } else if (action == "bad-alloc") {
    std::fprintf(stderr, "terminate called after throwing an instance of 'std::bad_alloc'\n");
    die_of(SIGABRT);
  } else if (action == "no-room") {
    tell_no_room("reply.json");
  } else if (action == "exit") {
    _exit(static_cast<int>(behaviour.code));
  } else if (action == "hang") {
    hang();
  } else if (action == "output") {
    print(behaviour.bytes);
  } else if (action == "grandchild") {
    leave_grandchild(behaviour);
  } else if (action == "slow") {
    sleep_ns(behaviour.ns);
  } else if (action == "close-pipes") {
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    close(trial::kPhaseDescriptor);
    sleep_ns(behaviour.ns);
  } else {
    throw std::runtime_error("fake script: unknown action '" + action + "'");
  }
}

std::string garbled(const std::string& reply, const std::string& how) {
  if (how == "not-json") {
    return "Segmentation fault (core dumped)\n";
  }
  if (how == "empty") {
    return "";
  }
  if (how == "truncated") {
    return reply.substr(0, reply.size() / 2);
  }
  if (how == "duplicate") {
    return "{\"id\":\"x\"," + reply.substr(1);
  }
  nlohmann::json object = nlohmann::json::parse(reply);
  if (how == "protocol") {
    object["protocol"] = 99;
  } else if (how == "missing") {
    object.erase("slices");
  } else if (how == "mistyped") {
    object["slices"][0]["wall_ns"] = "long";
  } else if (how == "negative") {
    object["slices"][0]["samples"] = -1;
  } else if (how == "sum") {
    object["slices"][0]["phases"]["other_ns"] =
        object["slices"][0]["phases"]["other_ns"].get<std::int64_t>() + 1;
  } else if (how == "other-id") {
    object["id"] = "somebody-else";
  } else {
    throw std::runtime_error("fake script: unknown way to garble '" + how + "'");
  }
  return object.dump();
}

}  // namespace tune::fake
