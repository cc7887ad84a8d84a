#include "report/run_record.h"

#include "base/joined.h"
#include "base/units.h"
#include "report/format/json_value.h"
#include "report/format/stored_text.h"
#include "report/markup.h"
#include "report/number_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tune::report {

namespace {

using nlohmann::json;

constexpr std::size_t kMostItems = 10'000;  // of a list: a page shows fewer
constexpr std::size_t kLongestValue = 300;
constexpr int kDeepestFacts = 3;

const json& at(const json& object, const char* key) {
  return json_member(object, key);
}

std::string text_at(const json& object, const char* key) {
  return json_text(at(object, key));
}

template <class Read>
auto list_of(const json& list, Read read) {
  std::vector<decltype(read(list))> items;
  if (list.is_array()) {
    for (std::size_t i = 0; i < std::min(list.size(), kMostItems); ++i) {
      items.push_back(read(list[i]));
    }
  }
  return items;
}

std::vector<std::string> texts_at(const json& object, const char* key) {
  return list_of(at(object, key), json_text);
}

// {value, lower, upper, n, unit}.
StoredNumber number_of(const json& object, const std::string& unit, const std::string& reason) {
  StoredNumber number{.value = json_number(at(object, "value")),
                      .confidence = json_number(at(object, "confidence")),
                      .n = json_count(at(object, "n")),
                      .unit = unit,
                      .reason = reason};
  const auto lower = json_number(at(object, "lower")), upper = json_number(at(object, "upper"));
  if (number.value && lower && upper && *lower <= *upper) {
    number.lower = lower;
    number.upper = upper;
  }
  return number;
}

// Plain values as people read them, lists of them with commas; "" of everything else.
std::string value_text(const json& value) {
  if (value.is_string()) {
    return json_text(value);
  }
  if (value.is_array() && value.empty()) {
    return "none";
  }
  if (value.is_array() && value.front().is_structured()) {
    return counted(static_cast<std::int64_t>(value.size()), "item");
  }
  if (value.is_array()) {
    const std::vector<std::string> texts = list_of(value, [](const json& item) {
      return item.is_structured() ? std::string("...") : value_text(item);
    });
    return shortened(joined(texts), kLongestValue);
  }
  return value.is_object() || value.is_null() ? "" : value.dump();
}

std::string evidence_value(const json& object) {
  const json& value = at(object, "value");
  if (value.is_null()) {
    const std::string reason = text_at(object, "reason");
    return "not known" + (reason.empty() ? "" : ": " + reason);
  }
  if (const auto number = json_number(value)) {
    StoredNumber stored;
    stored.value = number;
    stored.unit = text_at(object, "unit");
    return number_words(stored);
  }
  return value_text(value);
}

RecordedEvidence read_evidence(const json& object) {
  const std::string limit = text_at(object, "limit"), source = text_at(object, "limit_source");
  return {.metric = text_at(object, "metric"),
          .value = evidence_value(object),
          .limit = limit.empty() || source.empty() ? limit : limit + " (" + source + ")",
          .source = text_at(object, "source"),
          .window = text_at(object, "window")};
}

RecordedFinding read_finding(const json& object) {
  return {.rule = text_at(object, "rule"),
          .group = text_at(object, "group"),
          .title = text_at(object, "title"),
          .state = text_at(object, "state"),
          .severity = text_at(object, "severity"),
          .expression = text_at(object, "expression"),
          .reason = text_at(object, "reason"),
          .explained_by = texts_at(object, "explained_by"),
          .evidence = list_of(at(object, "evidence"), read_evidence)};
}

RecordedAdvice read_advice(const json& object) {
  const json &change = at(object, "change"), &predicted = at(object, "predicted");
  const auto read_knob = [](const json& knob) -> RecordedKnob {
    const json& to = at(knob, "to");
    return {.name = text_at(knob, "name"),
            .from = text_at(knob, "from"),
            .to = to.is_null() ? "" : value_text(to)};
  };
  return {.knobs = list_of(at(change, "knobs"), read_knob),
          .cpp = text_at(change, "cpp"),
          .python = text_at(change, "python"),
          .text = text_at(change, "text"),
          .environment = texts_at(change, "environment"),
          .model = text_at(predicted, "model"),
          .formula = text_at(predicted, "formula"),
          .against = text_at(object, "against_prediction"),
          .confidence = text_at(object, "confidence"),
          .numerics = text_at(object, "numerics"),
          .verify = text_at(object, "verify"),
          .risks = texts_at(object, "risks"),
          .links = texts_at(object, "links"),
          .explains = texts_at(object, "explains"),
          .rejected = texts_at(object, "rejected")};
}

RecordedPairs read_pairs(const json& object) {
  return {.cell = text_at(object, "cell"),
          .verdict = text_at(object, "verdict"),
          .why = text_at(object, "why"),
          .pairs = json_count(at(object, "pairs")),
          .gain = number_of(at(object, "gain"), "ratio", "no pair was completed")};
}

profile::RoleTimes read_times(const json& object) {
  profile::RoleTimes times{};
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    const std::string name(profile::role_name(static_cast<profile::Role>(role)));
    times[role] = json_count(at(object, name.c_str()));
  }
  return times;
}

std::vector<RecordedSteps> read_steps(const json& profiles) {
  std::vector<RecordedSteps> all = list_of(profiles, [](const json& object) -> RecordedSteps {
    const json& partition = at(object, "partition");
    return {.cell = text_at(object, "cell"),
            .trial = text_at(object, "trial"),
            .dilation = json_number(at(object, "dilation_ratio")),
            .exposed_ns = read_times(at(partition, "exposed_ns")),
            .overlapped_ns = read_times(at(partition, "overlapped_ns"))};
  });
  std::erase_if(all, [](const RecordedSteps& steps) {
    return std::all_of(
        steps.exposed_ns.begin(), steps.exposed_ns.end(), [](std::int64_t ns) { return ns == 0; });
  });
  return all;
}

// "worker.torch_version": "2.11.0". What is null has its reason in a member beside it.
void add_facts(const json& object,
               const std::string& place,
               int depth,
               std::vector<std::pair<std::string, std::string>>& facts) {
  if (!object.is_object() || depth > kDeepestFacts) {
    return;
  }
  for (const auto& [key, value] : object.items()) {
    const std::string name = (place.empty() ? "" : place + ".") + shortened(key, kLongestValue);
    if (value.is_object()) {
      add_facts(value, name, depth + 1, facts);
    } else if (!value.is_null() && facts.size() < kMostItems) {
      const bool is_size = key.ends_with("_bytes") && value.is_number_integer();
      facts.emplace_back(name,
                         is_size ? format_bytes(value.get<std::int64_t>())
                                 : shortened(value_text(value), kLongestValue));
    }
  }
}

std::string seed_of(const json& provenance) {
  const json& seed = at(provenance, "seed");
  return seed.is_number_unsigned() ? std::to_string(seed.get<std::uint64_t>()) : "";
}

}  // namespace

RunRecord read_run_record(std::string_view text, const std::string& where) {
  RunRecord record;
  record.result = read_stored_result(text, where);
  const json document = json::parse(text);  // it was read before
  const json &summary = at(document, "summary"), &best = at(summary, "best");
  const json& provenance = at(document, "provenance");
  record.description = text_at(at(document, "scenario"), "description");
  record.standing = text_at(summary, "standing");
  record.best_verdict = text_at(best, "verdict");
  record.baseline_rate = number_of(at(at(summary, "baseline"), "throughput"), "samples/s", "");
  record.best_rate = number_of(at(best, "throughput"), "samples/s", "");
  record.findings = list_of(at(document, "findings"), read_finding);
  record.advice = list_of(at(document, "recommendations"), read_advice);
  record.no_recommendation = text_at(document, "recommendations_reason");
  record.rank_formula = text_at(document, "rank_formula");
  record.confirmed = list_of(at(document, "confirmations"), read_pairs);
  record.steps = read_steps(at(document, "profiles"));
  add_facts(at(document, "environment"), "", 0, record.environment);
  record.command = texts_at(provenance, "command");
  record.directory = text_at(provenance, "directory");
  record.seed = seed_of(provenance);
  return record;
}

}  // namespace tune::report
