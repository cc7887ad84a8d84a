#include "cli/worker_curve.h"

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "report/number_text.h"
#include "trial/trial_reply.h"
#include "trial/window_sums.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tune::cli {

namespace {

// What the parts leave out, each way, and how much a machine changes from one process to the next;
// tests/bench/worker_curve.py compares.
constexpr double kModelError = 0.4;

std::optional<Spread> spread_of(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_array() || found->size() != 3) {
    return std::nullopt;
  }
  Spread three{};
  for (std::size_t i = 0; i < three.size(); ++i) {
    const nlohmann::json& each = (*found)[i];
    three[i] = each.is_number() ? each.get<double>() : -1;
    if (!std::isfinite(three[i]) || three[i] < 0) {
      return std::nullopt;
    }
  }
  return three;
}

double number(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  const double value = found != json.end() && found->is_number() ? found->get<double>() : 0;
  return std::isfinite(value) && value > 0 ? value : 0;
}

// The rest of a step: its wall time and CPU time without making or receiving a batch.
void add_computing(const trial::TrialReply& reply, bool has_workers, WorkerCosts& costs) {
  const trial::WindowSums window = trial::window_sums(reply.slices);
  const auto waited_s = window.per_step_s(window.data_wait_ns());
  if (!waited_s) {
    return;
  }
  costs.compute_s = *window.per_step_s(window.wall_ns - window.data_wait_ns());
  if (!has_workers) {  // its steps have shown it, with all that a loader does beside
    costs.fetch_s = {
        std::min(costs.fetch_s[0], *waited_s), *waited_s, std::max(costs.fetch_s[2], *waited_s)};
  }
  const double batch_s = has_workers ? costs.receive_s[1] : costs.fetch_s[1];
  costs.compute_cpu_s = std::clamp(
      *window.per_step_s(window.own_cpu_ns) - batch_s, 0.0, costs.compute_s * costs.cores);
}

double batch_s(const WorkerCosts& costs, std::int64_t workers, std::size_t at) {
  if (workers <= 0) {
    return costs.compute_s + costs.fetch_s[at];
  }
  const double made_s = std::max(costs.worker_s[at], costs.worker_cpu_s);
  const double consumer_s = costs.compute_s + costs.receive_s[at];
  const double all_cpu_s = costs.compute_cpu_s + costs.receive_s[at] + made_s;
  return std::max({consumer_s, made_s / static_cast<double>(workers), all_cpu_s / costs.cores});
}

std::string memory_text(const WorkerCosts& costs, std::int64_t workers) {
  return workers == 0 || !costs.worker_bytes
             ? ""
             : ", " +
                   format_bytes(std::llround(*costs.worker_bytes * static_cast<double>(workers))) +
                   " more memory";
}

}  // namespace

std::optional<WorkerCosts> read_worker_costs(const std::filesystem::path& facts,
                                             const trial::TrialReply& reply,
                                             double cores) {
  constexpr std::int64_t kLargest = 8 << 20;
  std::string text;
  try {
    text = read_file(facts, kLargest);
  } catch (const Error&) {
    return std::nullopt;
  }
  const nlohmann::json all = nlohmann::json::parse(text, nullptr, false);
  if (!all.is_object() || !all.contains("worker_curve") || !all["worker_curve"].is_object()) {
    return std::nullopt;
  }
  const nlohmann::json& curve = all["worker_curve"];
  const auto sample = spread_of(curve, "sample_s"), fetch = spread_of(curve, "fetch_s"),
             worker = spread_of(curve, "worker_s"), receive = spread_of(curve, "receive_s");
  if (!sample || !fetch || !worker || !receive || number(curve, "samples") <= 0) {
    return std::nullopt;
  }
  WorkerCosts costs{.samples = number(curve, "samples"),
                    .sample_s = *sample,
                    .fetch_s = *fetch,
                    .worker_s = *worker,
                    .worker_cpu_s = number(curve, "worker_cpu_s"),
                    .receive_s = *receive,
                    .start_s = number(curve, "start_s"),
                    .cores = std::max(1.0, cores)};
  if (const double bytes = number(curve, "worker_bytes"); bytes > 0) {
    costs.worker_bytes = bytes;
  }
  add_computing(reply, number(curve, "num_workers") > 0, costs);
  return costs;
}

PredictedRate predict_rate(const WorkerCosts& costs, std::int64_t workers) {
  return {.workers = workers,
          .lower = costs.samples / batch_s(costs, workers, 2) / (1 + kModelError),
          .middle = costs.samples / batch_s(costs, workers, 1),
          .upper = costs.samples / batch_s(costs, workers, 0) * (1 + kModelError)};
}

std::vector<std::int64_t> worth_trying(const WorkerCosts& costs,
                                       const std::vector<std::int64_t>& workers) {
  const double least = predict_rate(costs, 0).middle;  // the same machine: its error is in both
  std::vector<std::int64_t> found;
  std::copy_if(workers.begin(), workers.end(), std::back_inserter(found), [&](std::int64_t count) {
    return count == 0 || predict_rate(costs, count).upper >= least;
  });
  return found;
}

std::vector<std::string> curve_lines(const WorkerCosts& costs,
                                     const std::vector<std::int64_t>& workers) {
  std::vector<PredictedRate> rates;
  rates.reserve(workers.size());
  for (const std::int64_t count : workers) {
    rates.push_back(predict_rate(costs, count));
  }
  const auto best = std::max_element(
      rates.begin(), rates.end(), [](const PredictedRate& one, const PredictedRate& other) {
        return one.middle < other.middle;
      });
  if (best == rates.end()) {
    return {};
  }
  std::vector<std::string> lines = {
      "workers, predicted: " + std::to_string(best->workers) + " is best; a sample takes " +
      format_seconds(costs.sample_s[1]) + ", a batch " + format_seconds(costs.fetch_s[1]) +
      " here and " + format_seconds(costs.worker_s[1]) + " from a worker, to receive it " +
      format_seconds(costs.receive_s[1]) + ", to start a worker " + format_seconds(costs.start_s)};
  for (const PredictedRate& rate : rates) {
    lines.push_back("  num_workers " + std::to_string(rate.workers) + ": " +
                    report::number_text(rate.middle) + " samples/s [" +
                    report::number_text(rate.lower) + ", " + report::number_text(rate.upper) + "]" +
                    memory_text(costs, rate.workers));
  }
  return lines;
}

}  // namespace tune::cli
