#include "measure/history/entry.h"

#include "base/error.h"
#include "base/fields.h"
#include "base/sha256.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace tune::history {

namespace {

constexpr std::size_t kKeyDigits = 16;

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

}  // namespace

const Measure* Entry::find(std::string_view name) const {
  const auto found = std::find_if(
      measures.begin(), measures.end(), [&](const Measure& each) { return each.name == name; });
  return found == measures.end() ? nullptr : &*found;
}

std::string entry_key(const Entry& entry) {
  std::string text = entry.kind;
  for (const std::string* part : {&entry.machine, &entry.directory, &entry.started_utc}) {
    text += "\n" + *part;
  }
  return sha256_hex(text).substr(0, kKeyDigits);
}

std::string bounded_text(std::string_view text) {
  std::size_t length = std::min(text.size(), kLongestText);
  while (length > 0 && length < text.size() && continues_character(text[length])) {
    --length;
  }
  std::string kept(text.substr(0, length));
  std::replace(kept.begin(), kept.end(), '\0', ' ');
  return kept;
}

namespace {

using advice::JudgedPrediction;
using advice::MeasuredGain;
using Verdict = MeasuredGain::Verdict;

constexpr double kLargest = 1e18;
constexpr std::int64_t kMost = 1'000'000'000;
constexpr std::size_t kMostMeasures = 1'000, kMostPredictions = 1'000;

void verdict_of(Fields& fields, Verdict& verdict) {
  const auto word = [](Verdict value) {
    return std::pair<std::string_view, Verdict>(to_text(value), value);
  };
  fields.word<Verdict>(
      "verdict",
      verdict,
      {word(Verdict::confirmed), word(Verdict::refuted), word(Verdict::ambiguous)});
}

void prediction_of(Fields& fields, JudgedPrediction& prediction) {
  fields.text("recommendation", prediction.recommendation);
  fields.text("rule", prediction.rule);
  fields.text("model", prediction.model);
  fields.real("lower", prediction.lower, -kLargest, kLargest);
  fields.real("upper", prediction.upper, -kLargest, kLargest);
  fields.object("measured", [&](Fields& measured) {
    MeasuredGain& gain = prediction.measured;
    measured.real("value", gain.value, -kLargest, kLargest);
    measured.real("lower", gain.lower, -kLargest, kLargest);
    measured.real("upper", gain.upper, -kLargest, kLargest);
    measured.whole("pairs", gain.pairs, {0, kMost});
  });
  verdict_of(fields, prediction.measured.verdict);
}

Entry read_line(std::string_view line, const std::string& where) {
  Entry entry;
  read_fields(line, where, [&](Fields& fields) {
    fields_of(fields, entry);
    fields.expect(!entry.key.empty() && !entry.scenario.empty() && !entry.started_utc.empty(),
                  "",
                  "lacks key, scenario or start");
  });
  return entry;
}

}  // namespace

void fields_of(Fields& fields, Measure& measure) {
  fields.text("name", measure.name);
  fields.text("unit", measure.unit);
  fields.real("value", measure.value, -kLargest, kLargest);
  fields.real("lower", measure.lower, -kLargest, kLargest);
  fields.real("upper", measure.upper, -kLargest, kLargest);
  fields.whole("n", measure.n, {0, kMost});
}

void fields_of(Fields& fields, Entry& entry) {
  fields.text("key", entry.key, 64);
  fields.word("kind", entry.kind, {"run", "gate"});
  fields.text("scenario", entry.scenario, kLongestText);
  fields.text("machine", entry.machine, kLongestText);
  fields.text("subject", entry.subject, 64);
  fields.text("started", entry.started_utc, 64);
  fields.real("elapsed", entry.elapsed_s, 0, kLargest);
  fields.text("directory", entry.directory, kLongestText);
  fields.text("setting", entry.setting, kLongestText);
  fields.text("verdict", entry.verdict, kLongestText);
  fields.text("headline", entry.headline, kLongestText);
  fields.flag("complete", entry.complete);
  fields.text("tune_version", entry.tune_version, kLongestText);
  fields.text("commit", entry.commit, kLongestText);
  fields.text("torch_version", entry.torch_version, kLongestText);
  fields.text("worker_sha256", entry.worker_sha256, kLongestText);
  fields.list("measures", entry.measures, kMostMeasures);
  fields.list("predictions", entry.predictions, kMostPredictions, prediction_of);
  if (fields.reads()) {
    for (JudgedPrediction& prediction : entry.predictions) {
      prediction.run = entry.directory;
    }
  }
}

std::string to_export(const std::vector<Entry>& entries) {
  std::string text =
      json_text(written([](Fields& heading) { heading.schema(kExportSchema); })) + "\n";
  for (const Entry& entry : entries) {
    text += json_text(to_value(entry)) + "\n";
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
      read_fields(line, place, [](Fields& heading) { heading.schema(kExportSchema); });
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
