// Compares the loader model with the loader: predicts images/s of every configuration from a few
// short calibrations, then measures each, and prints both as a Markdown table. See README.md.

#include "advice/gain_model.h"
#include "base/clock.h"
#include "machine/cpu_list.h"
#include "machine/cpu_usage.h"
#include "machine/process_usage.h"
#include "trial/knob_catalog.h"
#include "worker/data/loader.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace tune;

struct Request {
  std::string data, decode = "full";
  std::int64_t images = 1000, repeats = 3;
  double most_s = 500;  // no configuration starts later
};

struct Configuration {
  std::int64_t workers = 0, batch = 64, prefetch = 2, size = 224;
};

trial::TrialSpec as_spec(const Request& request, const Configuration& at) {
  trial::TrialSpec spec;
  spec.data.source = "generated-jpeg";
  spec.data.path = request.data;
  spec.data.drop_last = true;
  spec.workload.task = "train";
  spec.workload.image_size = at.size;
  spec.knobs = trial::default_settings();
  spec.knobs["num_workers"] = at.workers;
  spec.knobs["batch_size"] = at.batch;
  spec.knobs["prefetch_factor"] = at.prefetch;
  spec.knobs["decode"] = request.decode;
  spec.knobs["persistent_workers"] = true;
  return spec;
}

struct Measured {
  double rate = 0;         // images/s
  double cpu_s = 0;        // per image, all threads
  double other_cores = 0;  // used by others meanwhile
};

Measured measure(const Request& request, const Configuration& at) {
  const auto loader = worker::make_loader(as_spec(request, at));
  // The stock is empty at both edges: the consumer does nothing.
  for (std::int64_t i = 0; i < 1 + 2 * at.prefetch; ++i) {
    loader->next();
  }
  machine::ProcessUsageReader process;
  machine::CpuUsageReader cpus(machine::allowed_cpus());
  const auto process_before = process.read();
  const auto cpus_before = cpus.read();
  const std::int64_t start_ns = monotonic_ns();
  std::int64_t images = 0;
  while (images < request.images) {
    images += loader->next().labels.size(0);
  }
  const double wall_s = static_cast<double>(monotonic_ns() - start_ns) * 1e-9;
  const auto used = machine::difference(process_before, process.read());
  const auto other_ns = machine::other_cpu_ns(cpus_before, cpus.read(), used.cpu_ns);
  const auto count = static_cast<double>(images);
  return {.rate = count / wall_s,
          .cpu_s = static_cast<double>(used.cpu_ns) * 1e-9 / count,
          .other_cores = static_cast<double>(other_ns.value_or(0)) * 1e-9 / wall_s};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Calibrations: CPU time of an image by its size, from one worker; how many cores all workers get
// in total (a hyperthread is less than a core), from one run with one worker per core.
struct Calibration {
  std::map<std::int64_t, double> sample_cpu_s;
  double usable_cores = 1;
};

constexpr std::array<std::int64_t, 2> kSizes = {112, 224};

Calibration calibrate(const Request& request) {
  const auto cores = static_cast<std::int64_t>(machine::allowed_cpus().size());
  Calibration found;
  for (const std::int64_t size : kSizes) {
    found.sample_cpu_s[size] = measure(request, {.workers = 1, .size = size}).cpu_s;
  }
  if (cores > 1) {
    const Measured all = measure(request, {.workers = cores, .size = 224});
    found.usable_cores =
        std::clamp(all.rate * found.sample_cpu_s[224], 1.0, static_cast<double>(cores));
  }
  return found;
}

// All except those that the calibration has measured.
std::vector<Configuration> configurations() {
  const auto cores = static_cast<std::int64_t>(machine::allowed_cpus().size());
  std::vector<Configuration> all;
  for (const std::int64_t size : kSizes) {
    for (const std::int64_t workers : {0, 1, 2, 4}) {
      for (const std::int64_t batch : {16, 64, 128}) {
        const bool is_known = batch == 64 && (workers == 1 || (workers == cores && size == 224));
        if (!is_known) {
          all.push_back({.workers = workers, .batch = batch, .prefetch = 2, .size = size});
        }
      }
    }
    for (const std::int64_t prefetch : {4, 8}) {
      all.push_back({.workers = 2, .batch = 32, .prefetch = prefetch, .size = size});
    }
  }
  return all;
}

double predicted_rate(const Calibration& known, const Configuration& at) {
  const advice::LoaderModel model{.sample_cpu_s = known.sample_cpu_s.at(at.size),
                                  .model_rate = std::numeric_limits<double>::infinity(),
                                  .usable_cores = known.usable_cores};
  return model.rate(at.workers);
}

void compare(const Request& request) {
  const std::int64_t begin_ns = monotonic_ns();
  (void)measure(request, {.workers = 1});  // the files are in the page cache from now on
  const Calibration known = calibrate(request);
  std::vector<Configuration> all = configurations();
  std::printf("%.2f usable cores; CPU time of an image: %.0f us at 112 px, %.0f us at 224 px\n\n",
              known.usable_cores,
              known.sample_cpu_s.at(112) * 1e6,
              known.sample_cpu_s.at(224) * 1e6);
  // In turn and in random order, so that a drifting machine does not favour any of them.
  std::mt19937_64 random(1);
  std::vector<std::vector<double>> rates(all.size());
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  double other_cores = 0;
  for (std::int64_t repeat = 0; repeat < request.repeats; ++repeat) {
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random() % i]);
    }
    for (const std::size_t i : order) {
      if (static_cast<double>(monotonic_ns() - begin_ns) * 1e-9 < request.most_s) {
        const Measured found = measure(request, all[i]);
        rates[i].push_back(found.rate);
        other_cores = std::max(other_cores, found.other_cores);
      }
    }
  }
  std::printf(
      "| num_workers | batch_size | prefetch_factor | image_size | predicted images/s | "
      "measured images/s | error |\n|---:|---:|---:|---:|---:|---:|---:|\n");
  std::vector<double> errors;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (rates[i].empty()) {
      continue;
    }
    const double predicted = predicted_rate(known, all[i]);
    const double measured = median(rates[i]);
    const double error = predicted / measured - 1;
    errors.push_back(std::fabs(error));
    std::printf("| %ld | %ld | %ld | %ld | %.0f | %.0f | %+.1f %% |\n",
                all[i].workers,
                all[i].batch,
                all[i].prefetch,
                all[i].size,
                predicted,
                measured,
                100 * error);
  }
  if (errors.empty()) {
    throw std::runtime_error("no configuration was measured in time");
  }
  std::sort(errors.begin(), errors.end());
  std::printf(
      "\n%zu of %zu configurations: median error %.1f %%, 90 %% of them at most %.1f %%; "
      "others used up to %.2f cores meanwhile (quiet: at most 0.10)\n",
      errors.size(),
      all.size(),
      100 * median(errors),
      100 * errors[(errors.size() * 9 - 1) / 10],
      other_cores);
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  CLI::App app{"the loader model against the loader"};
  app.add_option("data", request.data, "folder with one sub-folder of JPEGs per class")->required();
  app.add_option("--decode", request.decode, "full or roi");
  app.add_option("--images", request.images, "images of each measured window");
  app.add_option("--repeats", request.repeats, "windows of each configuration; the median counts");
  app.add_option("--seconds", request.most_s, "no window starts later");
  CLI11_PARSE(app, argc, argv);
  try {
    compare(request);
  } catch (const std::exception& error) {
    std::cerr << "loader_model: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
