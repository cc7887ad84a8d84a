// Compares TorchScript with our own model: trials of ResNet-18 in the same cell, with
// harness/worker's model and with an archive of the same network, in pairs of random order. Aim:
// their throughput differs by at most 3 %.
//
//   torchscript_pairs [pairs] [train | infer] [image size] [batch size]
//
// Exit code 0: within the aim; 1: beyond; 3: too few pairs to say.

#include "base/seeded_order.h"
#include "base/stats/log_ratio.h"
#include "base/stats/signed_rank.h"
#include "measure/runner/run_trial.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace tune::bench {

namespace {

namespace fs = std::filesystem;

constexpr double kAim = 0.03;
constexpr double kLevel = 0.025;  // of each bound: 95 % together
constexpr std::int64_t kClasses = 1000;
enum Way : std::size_t { kOurs, kArchive, kWays };

struct Request {
  int pairs = 12;
  std::string task = "train";
  std::int64_t image_size = 64, batch_size = 32;
};

fs::path scratch() {
  return fs::temp_directory_path() / ("torchscript_pairs." + std::to_string(getpid()));
}

void make_archive(const fs::path& file) {
  const std::string command =
      "'" SCRIPT_ARCHIVES "' '--resnet18=" + file.string() + "' " + std::to_string(kClasses);
  if (std::system(command.c_str()) != 0) {
    (void)std::fprintf(stderr, "the archive cannot be made\n");
    std::exit(1);
  }
}

trial::TrialSpec spec_of(const Request& request, const fs::path& archive, std::size_t way) {
  trial::TrialSpec spec;
  spec.id = "t";
  spec.cell = "c01";
  spec.workload.model = "resnet18";
  spec.workload.task = request.task;
  spec.workload.image_size = request.image_size;
  spec.workload.classes = kClasses;
  spec.workload.device = "cpu";
  if (way == kArchive) {
    spec.workload.model = "torchscript:resnet18.pt";
    spec.workload.own.kind = trial::OwnModel::Kind::torchscript;
    spec.workload.own.path = archive.string();
  }
  spec.data.samples = 64 * request.batch_size;
  spec.knobs = trial::default_settings();
  spec.knobs["batch_size"] = request.batch_size;
  spec.knobs["channels_last"] = true;
  spec.knobs["flush_denormal"] = true;
  spec.measure = {.warmup_steps = 8,
                  .warmup_ns = 2'000'000'000,
                  .slices = 5,
                  .slice_ns = 1'000'000'000,
                  .slice_steps = 2};
  spec.folder = (archive.parent_path() / spec.id).string();
  return spec;
}

double rate_of(const trial::TrialSpec& spec) {
  runner::RunOptions options;
  options.worker = WORKER_PROGRAM;
  const runner::TrialOutcome outcome = runner::run_trial(spec, options);
  const auto rate = outcome.reply ? trial::throughput(*outcome.reply) : std::nullopt;
  if (!rate || *rate <= 0) {
    (void)std::fprintf(stderr, "a trial gave no rate: %s\n", outcome.reason.c_str());
    std::exit(1);
  }
  return *rate;
}

int compare(const Request& request, const fs::path& archive) {
  std::vector<double> log_ratios, ours;
  for (int pair = 0; pair < request.pairs; ++pair) {
    std::array<double, kWays> rates{};
    for (const std::size_t way : seeded_order(kWays, 1, "pair", pair)) {
      rates[way] = rate_of(spec_of(request, archive, way));
    }
    ours.push_back(rates[kOurs]);
    log_ratios.push_back(stats::log_ratio(rates[kArchive], rates[kOurs]));
  }
  std::sort(ours.begin(), ours.end());
  const stats::LocationBounds found = stats::location_bounds(log_ratios, kLevel);
  const double low = stats::gain_of(found.lower), high = stats::gain_of(found.upper);
  std::printf("ours %.1f samples/s; TorchScript %+.2f %% [%+.2f, %+.2f] %%, %zu pairs%s%s\n",
              ours[ours.size() / 2],
              stats::gain_of(found.estimate) * 100,
              low * 100,
              high * 100,
              log_ratios.size(),
              found.warning.empty() ? "" : ": ",
              found.warning.c_str());
  if (low >= -kAim && high <= kAim) {
    std::printf("within %.0f %%\n", kAim * 100);
    return 0;
  }
  const bool is_beyond = high < -kAim || low > kAim;
  std::printf("%s\n", is_beyond ? "they differ by more than the aim" : "not known: more pairs");
  return is_beyond ? 1 : 3;
}

}  // namespace

}  // namespace tune::bench

int main(int argc, char** argv) {
  tune::bench::Request request;
  request.pairs = argc > 1 ? std::max(1, std::atoi(argv[1])) : request.pairs;
  request.task = argc > 2 ? argv[2] : request.task;
  request.image_size = argc > 3 ? std::atoll(argv[3]) : request.image_size;
  request.batch_size = argc > 4 ? std::atoll(argv[4]) : request.batch_size;
  const auto folder = tune::bench::scratch();
  std::filesystem::create_directories(folder);
  tune::bench::make_archive(folder / "resnet18.pt");
  const int code = tune::bench::compare(request, folder / "resnet18.pt");
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return code;
}
