// The cost of the rules: reading all of them, and evaluating them on a run; with a trace, also the
// cost of making facts from it.
//
//     rule_cost [trace.json]

#include "advice/diagnosis.h"
#include "advice/rule/known_name.h"
#include "advice/rule/trace_facts.h"
#include "base/clock.h"
#include "base/error.h"
#include "trace/metric/trace_metrics.h"
#include "trace/reader/read_trace.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

namespace advice = tune::advice;
namespace expression = tune::expression;
namespace metric = tune::metric;
namespace profile = tune::profile;
namespace rule = tune::rule;

constexpr int kTimes = 21;
constexpr double kMillion = 1e6;

// The median of several calls, ms.
template <class Call>
double cost_ms(Call call) {
  std::vector<std::int64_t> spent;
  for (int i = 0; i < kTimes; ++i) {
    const std::int64_t start_ns = tune::monotonic_ns();
    call();
    spent.push_back(tune::monotonic_ns() - start_ns);
  }
  std::nth_element(spent.begin(), spent.begin() + kTimes / 2, spent.end());
  return static_cast<double>(spent[kTimes / 2]) / kMillion;
}

// Every number is known, so that every condition and every gain is computed.
rule::FactTable everything() {
  rule::FactTable facts;
  for (const auto& [name, known] : rule::known_names()) {
    if (known.type.kind == expression::Type::Kind::number) {
      facts.set(name, {.result = expression::Value::of(0.25, known.type.dimension)});
    }
  }
  facts.set("device", {.result = expression::Value::of("cuda")});
  return facts;
}

void ask_trace(const char* file, const rule::Catalog& catalog) {
  const profile::Timeline timeline = profile::read_trace(file, {});
  const metric::TraceInput input = metric::examine(timeline);
  const auto metrics = metric::trace_metrics(input);
  const rule::FactTable facts = rule::facts_of_trace(input, metrics);
  std::printf("%zu events\n", timeline.events.size());
  std::printf("facts of the trace     %8.3f ms\n",
              cost_ms([&] { rule::facts_of_trace(input, metrics); }));
  std::printf("all rules over it      %8.3f ms\n",
              cost_ms([&] { advice::diagnose(catalog, facts); }));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const rule::Catalog catalog = rule::read_catalog(rule::shipped_rules());
    std::printf("%zu rules\n", catalog.rules.size());
    std::printf("reading all of them    %8.3f ms\n",
                cost_ms([] { rule::read_catalog(rule::shipped_rules()); }));
    const rule::FactTable facts = everything();
    std::printf("all rules over a run   %8.3f ms\n",
                cost_ms([&] { advice::diagnose(catalog, facts); }));
    if (argc > 1) {
      ask_trace(argv[1], catalog);
    }
    return 0;
  } catch (const tune::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
