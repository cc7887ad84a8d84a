#include "measure/campaign/window_facts.h"

#include "base/stats/quantile.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace tune::campaign {

double window_s(const std::vector<trial::Slice>& slices) {
  double seconds = 0;
  for (const trial::Slice& slice : slices) {
    seconds += static_cast<double>(slice.wall_ns) * 1e-9;
  }
  return seconds;
}

std::optional<double> python_batch_s(const trial::TrialSpec& spec,
                                     const trial::WindowSums& window) {
  const auto batch = spec.knobs.find("batch_size");
  const auto* const size =
      batch == spec.knobs.end() ? nullptr : std::get_if<std::int64_t>(&batch->second);
  if (!spec.workload.script.exists() || size == nullptr || !(window.samples > 0)) {
    return std::nullopt;
  }
  return window.data_wait_ns() * 1e-9 / window.samples * static_cast<double>(*size);
}

namespace {

using expression::Dimension;
using expression::Result;
using expression::Unknown;
using expression::Value;

constexpr Dimension kTime{.time = 1};

}  // namespace

void add_host_work(const trial::TrialSpec& spec,
                   double other_ratio,
                   const std::string& source,
                   rule::FactTable& facts) {
  const bool is_script = spec.workload.script.exists();
  if (is_script && facts.find("other_phase_ratio") != nullptr) {
    return;
  }
  const Result share = is_script ? Result(Unknown{"no steps of the script were recorded"})
                                 : Result(Value::of(other_ratio));
  facts.set("other_phase_ratio", {.result = share, .source = source, .window = "measure"});
}

void add_script(const trial::TrialReply& reply, const std::string& source, rule::FactTable& facts) {
  const auto set = [&](const char* name, const std::optional<double>& value) {
    if (value) {
      facts.set(name, {.result = Value::of(*value), .source = source, .window = "measure"});
    }
  };
  if (reply.script) {
    facts.explain_missing(rule::Origin::trial, "a trial of a script does not measure it");
    set("evaluation_ratio", reply.script->evaluation_ratio);
    set("collector_ratio", reply.script->collector_ratio);
    set("jpeg_time_ratio", reply.script->jpeg_time_ratio);
    set("kept_pixel_ratio", reply.script->kept_pixel_ratio);
    set("double_parameter_ratio", reply.script->double_parameter_ratio);
    set("denormal_ratio", reply.script->denormal_ratio);
    set("unused_gradient_ratio", reply.script->unused_gradient_ratio);
    set("profiler_ratio", reply.script->profiler_ratio);
    if (reply.script->evaluates_with_gradients) {
      const Value kept = Value::of(*reply.script->evaluates_with_gradients);
      facts.set("evaluates_with_gradients", {.result = kept, .source = source});
    }
    const trial::WindowSums window = trial::window_sums(reply.slices);
    const Result pinning =
        window.pin_thread_cpu_ns && window.wall_ns > 0
            ? Result(Value::of(*window.pin_thread_cpu_ns / window.wall_ns))
            : Result(Unknown{"no thread of the script is called pt_data_pin, as in torch 2.11"});
    facts.set("pin_thread_cpu_ratio", {.result = pinning, .source = source, .window = "measure"});
  }
}

void add_device_phases(const std::vector<trial::Slice>& slices,
                       const std::string& source,
                       rule::FactTable& facts) {
  trial::DevicePhaseSums sums;
  for (const trial::Slice& slice : slices) {
    sums += slice.device.value_or(trial::DevicePhaseSums());
  }
  const double wall_ns = trial::window_sums(slices).wall_ns;
  const auto set = [&](const char* name, Result result) {
    facts.set(name, {.result = std::move(result), .source = source, .window = "measure"});
  };
  const auto share = [&](std::int64_t ns) { return Value::of(static_cast<double>(ns) / wall_ns); };
  if (sums.total_ns() == 0 || !(wall_ns > 0)) {
    return;
  }
  set("stream_idle_ratio", share(sums.idle_ns));
  set("stream_transfer_ratio", share(sums.transfer_ns));
  set("optimizer_ratio",
      sums.graph_ns == 0 ? Result(share(sums.optimizer_ns))
                         : Result(Unknown{"a replayed CUDA graph is timed as a whole"}));
}

void add_ranks(const trial::TrialReply& reply, const std::string& source, rule::FactTable& facts) {
  std::vector<double> own_s;
  own_s.reserve(reply.ranks.size());
  for (const trial::RankReport& rank : reply.ranks) {
    if (rank.steps == 0) {
      return;
    }
    own_s.push_back(static_cast<double>(rank.own.total_ns()) / static_cast<double>(rank.steps) *
                    1e-9);
  }
  if (own_s.empty()) {
    return;
  }
  const auto set = [&](const char* name, Result result) {
    facts.set(name, {.result = std::move(result), .source = source, .window = "measure"});
  };
  const auto [least, most] = std::minmax_element(own_s.begin(), own_s.end());
  set("communication_exposed_ratio", Value::of(trial::exposed_communication_ratio(reply.ranks)));
  set("last_rank", Value::of(static_cast<double>(most - own_s.begin())));
  set("rank_count", Value::of(static_cast<double>(own_s.size())));
  set("rank_step_time_max", Value::of(*most, kTime));
  set("rank_step_time_min", Value::of(*least, kTime));
  set("rank_step_time_median", Value::of(stats::median(own_s), kTime));
}

void add_loader_flow(const trial::TrialReply& reply,
                     bool loads_ahead,
                     const std::string& source,
                     rule::FactTable& facts) {
  const auto& flow = reply.loader.flow;
  const char* const why =
      loads_ahead ? "only the loader `ring` counts it" : "no thread loads ahead: num_workers is 0";
  const auto set = [&](const char* name, const std::optional<double>& value, Dimension dimension) {
    facts.set(name,
              {.result = value ? Result(Value::of(*value, dimension)) : Result(Unknown{why}),
               .source = source,
               .window = "measure"});
  };
  const auto over = [&](std::int64_t part, std::int64_t whole) {
    return flow && whole > 0 ? std::optional(static_cast<double>(part) / static_cast<double>(whole))
                             : std::nullopt;
  };
  const trial::LoaderFlow seen = flow.value_or(trial::LoaderFlow{});
  set("ready_queue_empty_ratio", over(seen.empty_pulls, seen.pulls), {});
  set("reorder_wait_ratio", over(seen.reorder_wait_ns, seen.work_ns + seen.wait_ns), {});
  set("worker_time_max_ratio", flow ? std::optional(seen.slowest_thread_ratio) : std::nullopt, {});
  set("sample_time_p99",
      flow ? std::optional(static_cast<double>(seen.sample_p99_ns) * 1e-9) : std::nullopt,
      kTime);
}

}  // namespace tune::campaign
