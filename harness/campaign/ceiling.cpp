#include "campaign/ceiling.h"

#include "campaign/failure_text.h"
#include "campaign/taint.h"
#include "campaign/trial_record.h"

#include <algorithm>
#include <utility>

namespace tune::campaign {

namespace {

constexpr std::int64_t kCompute = 1, kLoader = 2;  // rounds
constexpr std::int64_t kSlices = 2;
constexpr std::int64_t kUnknownSamples = 1'000;
constexpr double kWarm = 0.9;  // our own cut: a tenth of the bytes from the disk may pass

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

std::optional<Slot> next_ceiling(const scenario::Scenario& scenario, const CellHistory& baseline) {
  if (scenario.data.source == "synthetic" || scenario.data.source == "plugin") {
    return std::nullopt;  // a plug-in's model may take no other batches than its own
  }
  for (const std::int64_t round : {kCompute, kLoader}) {
    if (!baseline.ceiling.attempts.contains(round)) {
      return Slot{
          .stage = "ceiling", .round = round, .slices = std::min(kSlices, scenario.measure.slices)};
    }
  }
  return std::nullopt;
}

void make_ceiling(trial::TrialSpec& spec, std::int64_t round) {
  if (round == kLoader) {
    spec.measure.loader_only = true;
    return;
  }
  trial::Data resident;
  resident.samples = spec.data.samples > 0 ? spec.data.samples : kUnknownSamples;
  resident.drop_last = spec.data.drop_last;
  spec.data = std::move(resident);
}

std::vector<Ceiling> ceilings_of(const std::vector<TrialRecord>& trials) {
  std::vector<Ceiling> found;
  for (const TrialRecord& record : trials) {
    if (record.stage != "ceiling") {
      continue;
    }
    Ceiling ceiling{.id = record.round == kLoader ? "data_ceiling" : "compute_ceiling",
                    .trial = record.spec.id};
    if (has_completed(record) && record.outcome.reply) {
      ceiling.rate = clean_rate(*record.outcome.reply).rate;
      ceiling.resident_ratio = record.outcome.reply->loader.resident_ratio;
      ceiling.reason = ceiling.rate ? "" : "others disturbed every slice of it";
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
    if (ceiling.id == "compute_ceiling") {
      facts.set("synthetic_rate", fact);
      continue;
    }
    facts.set("loader_rate", fact);
    rule::Fact cached = fact;
    if (ceiling.rate && ceiling.resident_ratio.value_or(0) < kWarm) {
      cached.result = expression::Unknown{
          ceiling.resident_ratio
              ? "the page cache did not hold the files when the loader ran alone"
              : "the kernel does not tell whether the page cache held the files"};
    }
    facts.set("cached_rate", std::move(cached));
  }
}

}  // namespace tune::campaign
