#include "advice/fixture.h"

#include "advice/finding.h"
#include "advice/rule/known_name.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "scenario/complaints.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <system_error>
#include <utility>

namespace tune::advice {

namespace fs = std::filesystem;

namespace {

using expression::Result;
using expression::Type;
using expression::Unknown;
using expression::Value;
using nlohmann::json;
using rule::Severity;
using rule::State;

constexpr std::int64_t kLargestBytes = 1 << 20;
constexpr std::array kStates = {State::fired, State::quiet, State::not_applicable};
constexpr std::array kSeverities = {
    Severity::info, Severity::low, Severity::medium, Severity::high};

[[noreturn]] void refuse(const std::string& file,
                         const std::string& problem,
                         const std::string& why = "",
                         const std::string& suggestion = "") {
  throw Error(Error::Parts{file, problem, why, suggestion});
}

std::optional<Value> to_value(const json& value, const Type& type) {
  if (value.is_boolean()) {
    return Value::of(value.get<bool>());
  }
  if (value.is_number()) {
    return Value::of(value.get<double>(), type.dimension);
  }
  if (value.is_string()) {
    return Value::of(value.get<std::string>());
  }
  if (!value.is_array()) {
    return std::nullopt;
  }
  Value::List list;
  list.reserve(value.size());
  for (const json& element : value) {
    auto read = element.is_array() ? std::nullopt : to_value(element, type);
    if (!read) {
      return std::nullopt;
    }
    list.push_back(std::move(*read));
  }
  return Value::of(std::move(list));
}

[[noreturn]] void refuse_name(const std::string& file, const std::string& name) {
  std::vector<std::string> names;
  names.reserve(rule::known_names().size());
  for (const auto& [known, type] : rule::known_names()) {
    names.push_back(known);
  }
  refuse(file,
         "unknown name " + scenario::quote(name),
         "no metric, knob or machine fact",
         did_you_mean(name, names));
}

void add_value(const std::string& name,
               const json& value,
               const std::string& file,
               rule::FactTable& facts) {
  const rule::KnownName* const known = rule::find_known_name(name);
  if (known == nullptr) {
    refuse_name(file, name);
  }
  if (value.is_null()) {
    facts.set(name, {.result = Unknown{"the fixture leaves it out"}, .source = "fixture"});
    return;
  }
  auto read = to_value(value, known->type);
  const std::string complaint = read ? rule::complaint_about(known->type, *read) : "is not a value";
  if (!complaint.empty()) {
    refuse(file, "'" + name + "' " + complaint);
  }
  facts.set(name, {.result = std::move(*read), .source = "fixture"});
}

// The word of `expect` as one of these; nothing when it is missing.
template <class Word, std::size_t N>
std::optional<Word> read_word(const json& expect,
                              const char* key,
                              const std::array<Word, N>& words,
                              const std::string& file) {
  if (!expect.contains(key)) {
    return std::nullopt;
  }
  std::string list;
  for (const Word word : words) {
    if (expect[key] == to_text(word)) {
      return word;
    }
    list += (list.empty() ? "" : ", ") + std::string(to_text(word));
  }
  refuse(file, std::string("'expect.") + key + "' is not known", "one of: " + list);
}

std::optional<std::array<double, 2>> read_gain(const json& expect, const std::string& file) {
  if (!expect.contains("gain")) {
    return std::nullopt;
  }
  const json& gain = expect["gain"];
  if (!gain.is_array() || gain.size() != 2 || !gain[0].is_number() || !gain[1].is_number()) {
    refuse(file, "'expect.gain' must be two numbers", "from and to, 0.1 is 10 %");
  }
  return std::array{gain[0].get<double>(), gain[1].get<double>()};
}

void check_keys(const json& object,
                const std::string& where,
                const std::vector<std::string>& known,
                const std::string& file) {
  if (!object.is_object()) {
    refuse(file, "'" + where + "' must be an object");
  }
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      refuse(file, "unknown key " + scenario::quote(key), "in " + where, did_you_mean(key, known));
    }
  }
}

std::string gain_text(double lower, double upper) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "[%.6g, %.6g]", lower, upper);
  return text.data();
}

bool is_near(double a, double b) {
  return std::fabs(a - b) <= 1e-4 + 1e-3 * std::fabs(b);
}

std::string check_gain(const PredictedGain& gain, const std::array<double, 2>& expected) {
  const std::string wanted = gain_text(expected[0], expected[1]);
  if (!gain.is_known()) {
    return "its gain is not known (" + gain.reason + "), not " + wanted;
  }
  const bool is_right = is_near(*gain.lower, expected[0]) && is_near(*gain.upper, expected[1]);
  return is_right ? "" : "its gain is " + gain_text(*gain.lower, *gain.upper) + ", not " + wanted;
}

std::vector<fs::path> fixtures_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  auto entry = fs::directory_iterator(folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    if (entry->path().extension() == ".json") {
      files.push_back(entry->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string try_fixture(const rule::Rule& rule, const fs::path& file) {
  try {
    const Fixture fixture = read_fixture(read_file(file, kLargestBytes), file.string());
    const std::string stem = file.stem().string();
    const bool is_misnamed = (stem == "fires" && fixture.state != State::fired) ||
                             (stem == "quiet" && fixture.state != State::quiet);
    return is_misnamed ? std::string("expects ") + to_text(fixture.state)
                       : check_fixture(rule, fixture);
  } catch (const Error& error) {
    const std::string text = error.what();
    const std::string prefix = file.string() + ": ";
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
  }
}

bool is_shipped(const std::string& id) {
  static const std::vector<rule::RuleFile> kShipped = rule::shipped_rules();
  return std::any_of(kShipped.begin(), kShipped.end(), [&](const rule::RuleFile& file) {
    return fs::path(file.name).stem() == id;
  });
}

}  // namespace

Fixture read_fixture(const std::string& text, const std::string& file) {
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) {
    refuse(file, "is not JSON");
  }
  check_keys(document, "a fixture", {"values", "expect"}, file);
  if (!document.contains("values") || !document.contains("expect")) {
    refuse(file, "'values' or 'expect' is missing");
  }
  check_keys(document["expect"], "expect", {"state", "severity", "gain"}, file);
  if (!document["values"].is_object()) {
    refuse(file, "'values' must be an object");
  }
  Fixture fixture;
  for (const auto& [name, value] : document["values"].items()) {
    add_value(name, value, file, fixture.facts);
  }
  const auto state = read_word(document["expect"], "state", kStates, file);
  if (!state) {
    refuse(file, "'expect.state' is missing");
  }
  fixture.state = *state;
  fixture.severity = read_word(document["expect"], "severity", kSeverities, file);
  fixture.gain = read_gain(document["expect"], file);
  return fixture;
}

std::string check_fixture(const rule::Rule& rule, const Fixture& fixture) {
  const Finding finding = find(rule, fixture.facts);
  std::string problem;
  if (finding.state != fixture.state) {
    problem = std::string("is ") + to_text(finding.state) + ", not " + to_text(fixture.state) +
              ": " + finding.text;
    return finding.reason.empty() ? problem : problem + " (" + finding.reason + ")";
  }
  if (fixture.severity && finding.severity != *fixture.severity) {
    return std::string("its severity is ") + to_text(finding.severity) + ", not " +
           to_text(*fixture.severity);
  }
  if (finding.has_fired() && finding.because.empty() && !rule.because.empty()) {
    return "no sentence of its `because` can be filled";
  }
  return fixture.gain ? check_gain(finding.gain, *fixture.gain) : "";
}

FixtureReport try_rules(const std::vector<const rule::Rule*>& rules, const fs::path& folder) {
  FixtureReport report{.rules = rules.size()};
  for (const rule::Rule* const rule : rules) {
    const fs::path own = folder / rule->id;
    if (rule->because.empty() && is_shipped(rule->id)) {
      report.problems.push_back({rule->file, "has no `because`"});
    }
    const std::vector<fs::path> files = fixtures_in(own);
    for (const char* const needed : {"fires.json", "quiet.json"}) {
      if (std::find(files.begin(), files.end(), own / needed) == files.end()) {
        report.problems.push_back({(own / needed).string(), "is missing"});
      }
    }
    for (const fs::path& file : files) {
      ++report.fixtures;
      const std::string problem = try_fixture(*rule, file);
      if (!problem.empty()) {
        report.problems.push_back({file.string(), problem});
      }
    }
  }
  return report;
}

}  // namespace tune::advice
