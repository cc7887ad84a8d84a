#include "measure/campaign/ceiling.h"

#include "measure/campaign/ledger.h"
#include "measure/campaign/run_warnings.h"
#include "measure/campaign/taint.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tune::campaign {

namespace {

constexpr std::int64_t kCompute = 1, kLoader = 2, kCold = 3;  // rounds
constexpr std::int64_t kSlices = 2;
constexpr std::int64_t kUnknownSamples = 1'000;
constexpr double kWarm = 0.9;        // our own cut: a tenth of the bytes from the disk may pass
constexpr double kStillWarm = 0.25;  // our own cut, of a trial that should have begun cold
constexpr const char* kStage = "ceiling";

const char* id_of(std::int64_t round) {
  return round == kCompute ? "compute_ceiling" : round == kLoader ? "data_ceiling" : "cold_ceiling";
}

// Stays within the first pass: after it the files are in memory again.
void measure_one_pass(trial::TrialSpec& spec, const ColdPass& pass) {
  const auto size = spec.knobs.find("batch_size");
  const auto* const batch =
      size == spec.knobs.end() ? nullptr : std::get_if<std::int64_t>(&size->second);
  const std::int64_t of_a_step =
      std::max<std::int64_t>(1, batch == nullptr ? 1 : *batch) * trial::rank_count(spec);
  const std::int64_t steps = pass.samples / of_a_step;
  trial::Measure& measure = spec.measure;
  measure.warmup_steps = 0;
  measure.warmup_ns = 0;
  measure.slices = 1;
  measure.slice_ns = 0;
  measure.sentinel = false;
  measure.slice_steps = std::max<std::int64_t>(1, steps / 2);
  if (pass.warm_rate > 0 && batch != nullptr) {
    const double second = pass.warm_rate / static_cast<double>(of_a_step);
    measure.slice_steps =
        std::min(measure.slice_steps, std::max<std::int64_t>(1, std::llround(second)));
  }
}

rule::Fact fact_of(const Ceiling& ceiling) {
  rule::Fact fact;
  fact.source = "trial " + ceiling.trial;
  fact.window = "measure";
  if (ceiling.rate) {
    fact.result = expression::Value::of(*ceiling.rate, {.time = -1});
  } else {
    fact.result = expression::Unknown{ceiling.reason};
  }
  return fact;
}

}  // namespace

bool is_cold(const Slot& slot) {
  return slot.stage == kStage && slot.round == kCold;
}

bool is_cold(const TrialRecord& record) {
  return record.stage == kStage && record.round == kCold;
}

std::optional<Slot> next_ceiling(const scenario::Scenario& scenario,
                                 const CellHistory& baseline,
                                 bool may_be_cold) {
  if (scenario.data.source == "synthetic" || scenario.data.source == "plugin" ||
      scenario.data.source == "script") {
    return std::nullopt;  // a plug-in's model may take no other batches than its own
  }
  for (const std::int64_t round : {kCompute, kLoader, kCold}) {
    if (round == kCold && !(may_be_cold && baseline.ceiling.rates.contains(kLoader))) {
      continue;
    }
    if (!baseline.ceiling.finished.contains(round)) {
      return Slot{
          .stage = kStage, .round = round, .slices = std::min(kSlices, scenario.measure.slices)};
    }
  }
  return std::nullopt;
}

void make_ceiling(trial::TrialSpec& spec, std::int64_t round, const ColdPass& pass) {
  if (round != kCompute) {
    spec.measure.loader_only = true;
    if (round == kCold) {
      measure_one_pass(spec, pass);
    }
    return;
  }
  trial::Data resident;
  resident.samples = spec.data.samples > 0 ? spec.data.samples : kUnknownSamples;
  resident.drop_last = spec.data.drop_last;
  spec.data = std::move(resident);
}

double warm_loader_rate(const std::vector<TrialRecord>& trials) {
  for (const Ceiling& ceiling : ceilings_of(trials)) {
    if (ceiling.id == id_of(kLoader) && ceiling.rate) {
      return *ceiling.rate;
    }
  }
  return 0;
}

std::vector<Ceiling> ceilings_of(const std::vector<TrialRecord>& trials) {
  std::vector<Ceiling> found;
  for (const TrialRecord& record : trials) {
    if (record.stage != kStage) {
      continue;
    }
    Ceiling ceiling{.id = id_of(record.round), .trial = record.spec.id};
    if (has_completed(record) && record.outcome.reply) {
      ceiling.rate = clean_rate(*record.outcome.reply).rate;
      ceiling.resident_ratio = record.outcome.reply->loader.resident_ratio;
      ceiling.reason = ceiling.rate ? "" : "others disturbed every slice of it";
      if (record.round == kCold && ceiling.resident_ratio.value_or(1) > kStillWarm) {
        ceiling.rate.reset();
        ceiling.reason =
            "the page cache kept the files although it was asked to forget them, or the kernel "
            "does not say (a file system in memory, or files that others have mapped)";
      }
    } else {
      ceiling.reason = failure_text(record);
    }
    found.push_back(std::move(ceiling));
  }
  return found;
}

void add_ceiling_facts(const std::vector<Ceiling>& ceilings, rule::FactTable& facts) {
  for (const Ceiling& ceiling : ceilings) {
    const rule::Fact fact = fact_of(ceiling);
    if (ceiling.id == id_of(kCompute)) {
      facts.set("synthetic_rate", fact);
      continue;
    }
    if (ceiling.id == id_of(kCold)) {
      facts.set("cold_rate", fact);
      continue;
    }
    facts.set("loader_rate", fact);
    rule::Fact cached = fact;
    if (ceiling.rate && ceiling.resident_ratio.value_or(0) < kWarm) {
      cached.result = expression::Unknown{
          ceiling.resident_ratio ? "the page cache did not hold the files when the loader ran alone"
                                 : "the kernel does not say whether the page cache held the files"};
    }
    facts.set("cached_rate", std::move(cached));
  }
}

}  // namespace tune::campaign
