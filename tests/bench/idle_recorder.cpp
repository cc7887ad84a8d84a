// The cost of an idle recorder in a training step. Processes with the worker's own step, a small
// MLP that is all overhead, compute blocks of steps in turn in random order, one at a time, so that
// other load affects all alike: one with a recorder that is off, and two without, whose difference
// is noise. --against adds one more: this program from another build, in which nothing checks
// whether steps are recorded (-DTUNE_WITHOUT_RECORDER=ON), or from another commit.
//
//   idle_recorder [starts] [--against OTHER_IDLE_RECORDER]
//   idle_recorder --blocks WAY       a block for each line that it reads: ns a step
//
// Processes differ by their memory layout, so each start counts once, with the median of its
// blocks. Exit code 0: within 0.5 %; 1: beyond; 3: too few starts to say.

#include "base/seeded_order.h"
#include "base/stats/log_ratio.h"
#include "base/stats/quantile.h"
#include "base/stats/signed_rank.h"
#include "step_blocks.h"
#include "worker/recorder/recording.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace tune::bench {

namespace {

namespace fs = std::filesystem;

constexpr double kAim = 0.005;    // upper limit for the slowdown of a step
constexpr double kLevel = 0.025;  // of each bound: 95 % together
constexpr int kSteps = 60;        // of a block
constexpr int kRounds = 40;       // blocks of each process
enum Way : std::size_t { kPlain, kControl, kIdle, kOther, kWays };

int compute_blocks(std::string_view way) {
  std::optional<worker::Recording> recording;
  if (way == "idle") {
    recording.emplace(worker::Recording::Options{});
  }
  StepBlocks training("mlp", 16, 32);
  training.block_ns(kSteps);  // warms up
  for (std::array<char, 8> line{}; std::fgets(line.data(), line.size(), stdin) != nullptr;) {
    std::printf("%.3f\n", training.block_ns(kSteps));
    (void)std::fflush(stdout);
  }
  _exit(0);  // as the worker does
}

/// A process that computes a block on request.
class BlockProcess {
 public:
  BlockProcess(const fs::path& program, const char* way) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      fail("no socket");
    }
    child_ = fork();
    if (child_ == 0) {
      dup2(ends[1], STDIN_FILENO);
      dup2(ends[1], STDOUT_FILENO);
      execl(program.c_str(), program.c_str(), "--blocks", way, nullptr);
      _exit(1);
    }
    close(ends[1]);
    answers_ = child_ > 0 ? fdopen(ends[0], "r") : nullptr;
    if (answers_ == nullptr) {
      fail("no process");
    }
  }
  ~BlockProcess() {
    (void)std::fclose(answers_);  // which ends it
    waitpid(child_, nullptr, 0);
  }
  BlockProcess(const BlockProcess&) = delete;
  BlockProcess& operator=(const BlockProcess&) = delete;

  double block_ns() {
    std::array<char, 64> line{};
    if (write(fileno(answers_), "\n", 1) != 1 ||
        std::fgets(line.data(), line.size(), answers_) == nullptr ||
        !(std::atof(line.data()) > 0)) {
      fail("a process gave no time");
    }
    return std::atof(line.data());
  }

 private:
  [[noreturn]] static void fail(const char* what) {
    (void)std::fprintf(stderr, "%s\n", what);
    std::exit(1);
  }

  pid_t child_ = -1;
  std::FILE* answers_ = nullptr;
};

/// ln of the ratio of step times of two processes, in turn.
struct Start {
  double control = 0, idle = 0, against = 0;
};

Start measure_start(int start, const fs::path& self, const fs::path& other) {
  const std::size_t ways = other.empty() ? kOther : kWays;
  std::array<std::unique_ptr<BlockProcess>, kWays> processes;
  for (const std::size_t way : seeded_order(ways, 1, "start", start)) {
    processes[way] = std::make_unique<BlockProcess>(way == kOther ? other : self,
                                                    way == kIdle ? "idle" : "plain");
  }
  std::vector<double> control, idle, against;
  for (int round = 0; round < kRounds; ++round) {
    std::array<double, kWays> ns{};
    for (const std::size_t way : seeded_order(ways, 1, "round", start * kRounds + round)) {
      ns[way] = processes[way]->block_ns();
    }
    control.push_back(stats::log_ratio(ns[kControl], ns[kPlain]));
    idle.push_back(stats::log_ratio(ns[kIdle], ns[kPlain]));
    against.push_back(other.empty() ? 0 : stats::log_ratio(ns[kIdle], ns[kOther]));
  }
  return {.control = stats::median(control),
          .idle = stats::median(idle),
          .against = stats::median(against)};
}

stats::LocationBounds print(const char* name, const std::vector<double>& log_ratios) {
  const stats::LocationBounds bounds = stats::location_bounds(log_ratios, kLevel);
  std::printf("%-32s %+.2f %% [%+.2f, %+.2f] %%, %zu starts%s%s\n",
              name,
              stats::gain_of(bounds.estimate) * 100,
              stats::gain_of(bounds.lower) * 100,
              stats::gain_of(bounds.upper) * 100,
              log_ratios.size(),
              bounds.warning.empty() ? "" : ": ",
              bounds.warning.c_str());
  return bounds;
}

int verdict(const char* name, const std::vector<double>& log_ratios) {
  const stats::LocationBounds found = print(name, log_ratios);
  const double low = stats::gain_of(found.lower), high = stats::gain_of(found.upper);
  if (low >= -kAim && high <= kAim) {
    std::printf("no difference above %.1f %%\n", kAim * 100);
    return 0;
  }
  const bool is_beyond = low > kAim || high < -kAim;
  std::printf("%s\n", is_beyond ? "the difference is above the aim" : "not known: more starts");
  return is_beyond ? 1 : 3;
}

int compare(int starts, const fs::path& other) {
  const fs::path self = fs::read_symlink("/proc/self/exe");
  std::vector<double> control, idle, against;
  for (int start = 0; start < starts; ++start) {
    const Start found = measure_start(start, self, other);
    control.push_back(found.control);
    idle.push_back(found.idle);
    against.push_back(found.against);
  }
  (void)print("control: no recorder on both sides", control);
  const int present = verdict("recorder present and idle", idle);
  return other.empty() ? present
                       : std::max(present, verdict("the same against the other build", against));
}

}  // namespace

}  // namespace tune::bench

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--blocks") {
    return tune::bench::compute_blocks(argv[2]);
  }
  int starts = 24;
  std::filesystem::path other;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--against" && i + 1 < argc) {
      other = argv[++i];
    } else if (std::atoi(word.c_str()) > 0) {
      starts = std::atoi(word.c_str());
    } else {
      (void)std::fputs("usage: idle_recorder [starts] [--against OTHER_IDLE_RECORDER]\n", stderr);
      return 2;
    }
  }
  if (!other.empty() && !std::filesystem::exists(other)) {
    (void)std::fprintf(stderr, "%s: does not exist (build it first)\n", other.c_str());
    return 2;
  }
  return tune::bench::compare(starts, other);
}
