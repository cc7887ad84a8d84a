#include "advice/derived_facts.h"

#include "advice/gain_model.h"

#include <algorithm>
#include <string>
#include <utility>

namespace tune::advice {

namespace {

using expression::Dimension;
using expression::Result;
using expression::Unknown;
using expression::Value;

/// An input is missing; never leaves this file.
struct Missing {
  std::string reason;
};

class Derivation {
 public:
  explicit Derivation(rule::FactTable& facts) : facts_(facts) {}

  void add(const std::string& name, const Dimension& dimension, double (Derivation::*derive)()) {
    const rule::Fact* const known = facts_.find(name);
    if (known != nullptr && std::holds_alternative<Value>(known->result)) {
      return;
    }
    Result result = Unknown{};
    try {
      result = Value::of((this->*derive)(), dimension);
    } catch (const Missing& missing) {
      if (known != nullptr) {
        return;  // whoever tried knows better why not
      }
      result = Unknown{missing.reason};
    }
    facts_.set(name, {.result = std::move(result), .source = "derived"});
  }

  double headroom() {
    const DifferentialRates rates{.synthetic = positive("synthetic_rate"),
                                  .cached = positive("throughput")};
    return rates.prep_stall_ratio();
  }

  double fetch_stall() {
    const DifferentialRates rates{.cached = positive("cached_rate"), .cold = positive("cold_rate")};
    return rates.fetch_stall_ratio();
  }

  double predicted_rate() {
    return loader().rate(static_cast<std::int64_t>(number("num_workers")));
  }
  double needed_workers() { return static_cast<double>(loader().needed_workers()); }
  double avoidable_run_delay() {
    const double delay = number("main_thread_run_delay_ratio");
    try {
      return std::max(0.0, delay - needed_by_loader());
    } catch (const Missing&) {
      return delay;
    }
  }
  double worker_cpu() {
    positive("num_workers");
    const double cores = positive("loader_cpu_time") * positive("throughput");
    return std::min(1.0, cores / positive("usable_cores"));
  }
  double best_predicted_rate() { return loader().rate(loader().needed_workers()); }

 private:
  const Value& value(const std::string& name) {
    result_ = facts_.value(name);
    if (const auto* const unknown = std::get_if<Unknown>(&result_)) {
      throw Missing{name + ": " + unknown->reason};
    }
    return std::get<Value>(result_);
  }

  double number(const std::string& name) {
    return std::get<expression::Number>(value(name).data).value;
  }

  double positive(const std::string& name) {
    const double found = number(name);
    if (!(found > 0)) {
      throw Missing{name + " is not above 0"};
    }
    return found;
  }

  // Shares of the time of each thread that trains.
  double needed_by_loader() {
    const double threads = positive("intra_op_threads");
    const double loader_cores = positive("loader_cpu_time") * positive("throughput");
    const double missing_cores = loader_cores + threads - positive("usable_cores");
    return trains_on_cpu() ? std::max(0.0, missing_cores / threads) : 0;
  }

  // Cores less what a quota withholds and what other work takes.
  double cores_left() {
    constexpr double kLeast = 0.1;  // somebody who takes all of them still leaves some time
    const double cores =
        std::min(positive("usable_cores"), number_or("cpu_quota", positive("usable_cores")));
    return std::max(kLeast, cores - number_or("other_cpu_cores", 0));
  }

  double number_or(const std::string& name, double otherwise) {
    try {
      return number(name);
    } catch (const Missing&) {
      return otherwise;
    }
  }

  bool trains_on_cpu() { return value("device") == Value::of("cpu"); }

  LoaderModel loader() {
    LoaderModel model{.sample_cpu_s = positive("loader_cpu_time"),
                      .model_rate = positive("synthetic_rate"),
                      .usable_cores = cores_left()};
    model.trains_on_cpu = trains_on_cpu();
    return model;
  }

  rule::FactTable& facts_;
  Result result_;
};

}  // namespace

void add_derived_facts(rule::FactTable& facts) {
  Derivation derivation(facts);
  constexpr Dimension kRate{.time = -1};
  derivation.add("headroom_ratio", {}, &Derivation::headroom);
  derivation.add("fetch_stall_ratio", {}, &Derivation::fetch_stall);
  derivation.add("predicted_rate", kRate, &Derivation::predicted_rate);
  derivation.add("needed_workers", {}, &Derivation::needed_workers);
  derivation.add("avoidable_run_delay_ratio", {}, &Derivation::avoidable_run_delay);
  derivation.add("best_predicted_rate", kRate, &Derivation::best_predicted_rate);
  derivation.add("worker_cpu_ratio", {}, &Derivation::worker_cpu);
}

}  // namespace tune::advice
