#include "history/entry_json.h"

#include "base/error.h"
#include "trial/json_object.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace tune::history {

namespace {

using Json = nlohmann::ordered_json;
using advice::JudgedPrediction;
using advice::MeasuredGain;
using trial::JsonObject;
using Verdict = MeasuredGain::Verdict;

constexpr double kLargest = 1e18;
constexpr std::int64_t kMost = 1'000'000'000;
constexpr std::size_t kMostMeasures = 1'000, kMostPredictions = 1'000;

Json number_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

std::optional<double> read_bound(JsonObject& object, const char* name) {
  return object.is_null(name) ? std::nullopt
                              : std::optional(object.real(name, -kLargest, kLargest));
}

Measure read_measure(JsonObject& object) {
  Measure measure;
  measure.name = object.text("name");
  measure.unit = object.text("unit");
  measure.value = object.real("value", -kLargest, kLargest);
  measure.lower = read_bound(object, "lower");
  measure.upper = read_bound(object, "upper");
  measure.n = object.whole("n", {0, kMost});
  return measure;
}

Json to_json(const JudgedPrediction& prediction) {
  const MeasuredGain& gain = prediction.measured;
  return {{"recommendation", prediction.recommendation},
          {"rule", prediction.rule},
          {"model", prediction.model},
          {"lower", prediction.lower},
          {"upper", prediction.upper},
          {"measured",
           {{"value", gain.value},
            {"lower", gain.lower},
            {"upper", gain.upper},
            {"pairs", gain.pairs}}},
          {"verdict", to_text(gain.verdict)}};
}

Verdict read_verdict(JsonObject& object) {
  const std::string text = object.word(
      "verdict",
      {to_text(Verdict::confirmed), to_text(Verdict::refuted), to_text(Verdict::ambiguous)});
  return text == to_text(Verdict::confirmed) ? Verdict::confirmed
         : text == to_text(Verdict::refuted) ? Verdict::refuted
                                             : Verdict::ambiguous;
}

JudgedPrediction read_prediction(JsonObject& object, const std::string& run) {
  JudgedPrediction prediction;
  prediction.run = run;
  prediction.recommendation = object.text("recommendation");
  prediction.rule = object.text("rule");
  prediction.model = object.text("model");
  prediction.lower = object.real("lower", -kLargest, kLargest);
  prediction.upper = object.real("upper", -kLargest, kLargest);
  JsonObject measured = object.object("measured");
  prediction.measured.value = measured.real("value", -kLargest, kLargest);
  prediction.measured.lower = measured.real("lower", -kLargest, kLargest);
  prediction.measured.upper = measured.real("upper", -kLargest, kLargest);
  prediction.measured.pairs = measured.whole("pairs", {0, kMost});
  prediction.measured.verdict = read_verdict(object);
  return prediction;
}

Entry read_line(std::string_view line, const std::string& where) {
  const nlohmann::json json = trial::parse_json(line, where);
  JsonObject object(json, where, "");
  Entry entry;
  entry.key = object.text("key", 64);
  entry.kind = object.word("kind", {"run", "gate"});
  entry.scenario = object.text("scenario", kLongestText);
  entry.machine = object.text("machine", kLongestText);
  entry.subject = object.text("subject", 64);
  entry.started_utc = object.text("started", 64);
  entry.elapsed_s = object.real("elapsed", 0, kLargest);
  entry.directory = object.text("directory", kLongestText);
  entry.setting = object.text("setting", kLongestText);
  entry.verdict = object.text("verdict", kLongestText);
  entry.headline = object.text("headline", kLongestText);
  entry.complete = object.flag("complete");
  entry.tune_version = object.text("tune_version", kLongestText);
  entry.commit = object.text("commit", kLongestText);
  entry.torch_version = object.text("torch_version", kLongestText);
  entry.worker_sha256 = object.text("worker_sha256", kLongestText);
  object.each("measures", kMostMeasures, [&](JsonObject& each) {
    entry.measures.push_back(read_measure(each));
  });
  object.each("predictions", kMostPredictions, [&](JsonObject& each) {
    entry.predictions.push_back(read_prediction(each, entry.directory));
  });
  if (entry.key.empty() || entry.scenario.empty() || entry.started_utc.empty()) {
    trial::complain(where, "", "lacks key, scenario or start");
  }
  return entry;
}

void read_heading(std::string_view line, const std::string& where) {
  const nlohmann::json json = trial::parse_json(line, where);
  JsonObject object(json, where, "");
  const std::string schema = object.text("schema", 64);
  if (schema != kExportSchema) {
    throw Error(Error::Parts{where,
                             "is of another schema",
                             "this version of tune reads " + std::string(kExportSchema),
                             ""});
  }
}

}  // namespace

Json to_json(const Measure& measure) {
  return {{"name", measure.name},
          {"unit", measure.unit},
          {"value", measure.value},
          {"lower", number_or_null(measure.lower)},
          {"upper", number_or_null(measure.upper)},
          {"n", measure.n}};
}

Json to_json(const Entry& entry) {
  Json measures = Json::array();
  for (const Measure& measure : entry.measures) {
    measures.push_back(to_json(measure));
  }
  Json predictions = Json::array();
  for (const JudgedPrediction& prediction : entry.predictions) {
    predictions.push_back(to_json(prediction));
  }
  return {{"key", entry.key},
          {"kind", entry.kind},
          {"scenario", entry.scenario},
          {"machine", entry.machine},
          {"subject", entry.subject},
          {"started", entry.started_utc},
          {"elapsed", entry.elapsed_s},
          {"directory", entry.directory},
          {"setting", entry.setting},
          {"verdict", entry.verdict},
          {"headline", entry.headline},
          {"complete", entry.complete},
          {"tune_version", entry.tune_version},
          {"commit", entry.commit},
          {"torch_version", entry.torch_version},
          {"worker_sha256", entry.worker_sha256},
          {"measures", std::move(measures)},
          {"predictions", std::move(predictions)}};
}

std::string to_export(const std::vector<Entry>& entries) {
  Json heading;
  heading["schema"] = std::string(kExportSchema);
  std::string text = heading.dump() + "\n";
  for (const Entry& entry : entries) {
    // What is no UTF-8 becomes U+FFFD.
    text += to_json(entry).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  return text;
}

std::vector<Entry> read_export(std::string_view text, const std::string& where) {
  std::vector<Entry> entries;
  std::size_t begin = 0;
  for (std::int64_t number = 1; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::string place = where + ":" + std::to_string(number);
    if (number == 1) {
      read_heading(line, place);
    } else if (!line.empty()) {
      entries.push_back(read_line(line, place));
    }
    begin = end + 1;
  }
  if (text.empty()) {
    throw Error(Error::Parts{where, "is empty", "an export of the history has a first line", ""});
  }
  return entries;
}

}  // namespace tune::history
