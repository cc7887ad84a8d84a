#include "campaign/loader_flow_facts.h"

#include <cstdint>
#include <optional>

namespace tune::campaign {

namespace {

using expression::Dimension;
using expression::Result;
using expression::Unknown;
using expression::Value;

constexpr Dimension kTime{.time = 1};

}  // namespace

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
