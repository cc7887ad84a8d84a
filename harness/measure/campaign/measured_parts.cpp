#include "measure/campaign/measured_parts.h"

#include "base/units.h"
#include "measure/campaign/taint.h"
#include "measure/runner/output_log.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <set>
#include <utility>

namespace tune::campaign {

namespace {

constexpr std::size_t kMostNamed = 8;
constexpr std::string_view kBaseline = "baseline";

using Sentences = std::vector<std::string>;

void add_once(Sentences& list, const std::string& word) {
  if (std::find(list.begin(), list.end(), word) == list.end()) {
    list.push_back(word);
  }
}

bool counts_for_baseline(const TrialRecord& trial) {
  return trial.spec.cell == kBaseline && trial.outcome.reply &&
         trial.outcome.kind == runner::OutcomeKind::completed &&
         (trial.stage == "search" || trial.stage == "confirm");
}

// What the trials of one part say.
void fill(MeasuredPart& part, const RecordedRun& run, std::int64_t shard) {
  std::vector<double> rates;
  for (const TrialRecord& trial : run.trials) {
    if (trial.shard != shard) {
      continue;
    }
    add_once(part.cells, trial.spec.cell);
    if (trial.stage == "search") {
      part.first_round =
          part.first_round == 0 ? trial.round : std::min(part.first_round, trial.round);
      part.last_round = std::max(part.last_round, trial.round);
    }
    const auto rate =
        counts_for_baseline(trial) ? clean_rate(*trial.outcome.reply).rate : std::nullopt;
    if (rate && std::isfinite(*rate) && *rate > 0) {
      rates.push_back(*rate);
    }
  }
  std::sort(part.cells.begin(), part.cells.end(), [](const auto& a, const auto& b) {
    return std::pair(a != kBaseline, a) < std::pair(b != kBaseline, b);
  });
  if (!rates.empty()) {
    part.baseline = stats::number_of_samples(rates);
  }
  for (const Sitting& sitting : run.ledger.sittings) {
    if (sitting.shard == shard) {
      add_once(part.hosts, sitting.host);
    }
  }
}

std::string listed(const Sentences& words) {
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kMostNamed); ++i) {
    text += (i > 0 ? ", " : "") + runner::printable(words[i]);
  }
  return words.size() > kMostNamed
             ? text + " and " + std::to_string(words.size() - kMostNamed) + " more"
             : text;
}

std::string cells_of(const MeasuredPart& part) {
  Sentences cells = part.cells;
  std::erase(cells, kBaseline);
  return cells.empty() ? "the baseline alone" : listed(cells);
}

std::string where_text(const CampaignResult& result) {
  std::string text = "measured in " + std::to_string(result.scenario.joined_shards) +
                     (result.scenario.joined_shards == 1 ? " shard" : " shards");
  std::size_t named = 0;
  for (const MeasuredPart& part : result.parts) {
    if (part.shard > 0 && ++named <= kMostNamed) {
      text += (named == 1 ? ": " : "; ") + cells_of(part) + " on " + host_words(part);
    }
  }
  text += named > kMostNamed ? "; and so on" : "";
  return text +
         ". Each gain of the search is against the baseline of the same round on the same machine; "
         "rates of different machines do not compare";
}

// How far the baselines of the shards lie apart.
std::string spread_text(const CampaignResult& result) {
  const MeasuredPart* slowest = nullptr;
  const MeasuredPart* fastest = nullptr;
  for (const MeasuredPart& part : result.parts) {
    if (part.shard > 0 && part.baseline) {
      slowest =
          slowest == nullptr || part.baseline->value < slowest->baseline->value ? &part : slowest;
      fastest =
          fastest == nullptr || part.baseline->value > fastest->baseline->value ? &part : fastest;
    }
  }
  if (slowest == fastest) {
    return "";
  }
  std::array<char, 160> text{};
  (void)std::snprintf(text.data(),
                      text.size(),
                      "the baseline ran at %.4g samples/s in shard %lld and at %.4g in shard %lld, "
                      "%.1f %% apart",
                      *slowest->baseline->value,
                      static_cast<long long>(slowest->shard),
                      *fastest->baseline->value,
                      static_cast<long long>(fastest->shard),
                      100 * (*fastest->baseline->value / *slowest->baseline->value - 1));
  return text.data();
}

struct Trait {
  const char* name;
  std::function<std::string(const machine::MachineFacts&)> of;
};

// What machines of one class may differ in, and what can make them unlike one another.
Sentences unlike_texts(const CampaignResult& result) {
  const std::array<Trait, 4> traits = {
      {{"kernel", [](const auto& facts) { return facts.kernel; }},
       {"frequency governor", [](const auto& facts) { return facts.governor.value_or(""); }},
       {"transparent huge pages",
        [](const auto& facts) { return facts.transparent_huge_pages.value_or(""); }},
       {"memory limit", [](const auto& facts) { return format_bytes(facts.memory_limit_bytes); }}}};
  Sentences found;
  for (const Trait& trait : traits) {
    Sentences values;
    for (const MeasuredPart& part : result.parts) {
      if (part.machine && part.shard > 0) {
        const std::string value = trait.of(*part.machine);
        add_once(values, value.empty() ? "not known" : value);
      }
    }
    if (values.size() > 1) {
      found.push_back(std::string("the machines of the shards differ in their ") + trait.name +
                      ": " + listed(values));
    }
  }
  return found;
}

}  // namespace

std::vector<MeasuredPart> measured_parts(const RecordedRun& run) {
  std::vector<MeasuredPart> parts;
  const LedgerHeader& header = run.ledger.header;
  for (const JoinedShard& shard : header.shards) {
    MeasuredPart part{.shard = static_cast<std::int64_t>(parts.size()) + 1,
                      .directory = shard.directory,
                      .started_utc = shard.started_utc,
                      .machine = shard.machine};
    fill(part, run, part.shard);
    parts.push_back(std::move(part));
  }
  if (parts.empty() && !run.scenario.shard) {
    return parts;
  }
  MeasuredPart own{.shard = run.scenario.shard ? run.scenario.shard->index : 0};
  fill(own, run, 0);
  if (!own.hosts.empty()) {
    parts.push_back(std::move(own));
  }
  return parts;
}

std::string host_words(const MeasuredPart& part) {
  std::string text;
  for (const std::string& host : part.hosts) {
    text += (text.empty() ? "" : " and ") +
            (host.empty() ? "a machine without a name" : runner::printable(host));
  }
  return text.empty() ? "a machine without a name" : text;
}

std::vector<std::string> parts_warnings(const CampaignResult& result) {
  Sentences found;
  if (result.scenario.joined_shards == 0) {
    return found;
  }
  found.push_back(where_text(result));
  if (std::string spread = spread_text(result); !spread.empty()) {
    found.push_back(std::move(spread));
  }
  for (std::string& unlike : unlike_texts(result)) {
    found.push_back(std::move(unlike));
  }
  return found;
}

}  // namespace tune::campaign
