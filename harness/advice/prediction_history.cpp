#include "advice/prediction_history.h"

#include "base/error.h"
#include "base/file.h"
#include "result/result.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace tune::advice {

namespace fs = std::filesystem;

namespace {

using Verdict = MeasuredGain::Verdict;

constexpr const char* kResult = "result.json";
constexpr const char* kLedger = "ledger.jsonl";
constexpr const char* kNoRun = "is not a run: only `tune run` measures what it recommends";
constexpr std::size_t kMostEarlier = 100;
constexpr double kLargestGain = 1e6;
constexpr std::int64_t kMostPairs = 1'000'000;

[[noreturn]] void refuse(const std::string& run,
                         const std::string& problem,
                         const std::string& why = "",
                         const std::string& suggestion = "") {
  throw Error(Error::Parts{run, problem, why, suggestion});
}

std::optional<Verdict> verdict_of(const std::string& text) {
  for (const Verdict verdict : {Verdict::confirmed, Verdict::refuted, Verdict::ambiguous}) {
    if (text == to_text(verdict)) {
      return verdict;
    }
  }
  return std::nullopt;
}

bool is_gain(const std::optional<double>& value) {
  return value && std::fabs(*value) <= kLargestGain;
}

bool counts(const std::string& model) {
  return model != to_text(rule::Gain::Model::measured) && model != to_text(rule::Gain::Model::none);
}

// Nothing where it was not measured, or not predicted.
std::optional<JudgedPrediction> read_prediction(const result::Recommendation& recommendation,
                                                const std::string& run) {
  const result::Number& measured = recommendation.measured.gain;
  const result::Number& predicted = recommendation.predicted.gain;
  const std::string& model = recommendation.predicted.model;
  if (!measured.is_there || !(predicted.upper || recommendation.predicted.is_damaged) ||
      !counts(model)) {
    return std::nullopt;
  }
  const auto verdict = verdict_of(recommendation.verdict);
  const bool has_numbers = is_gain(predicted.lower) && is_gain(predicted.upper) &&
                           is_gain(measured.value) && is_gain(measured.lower) &&
                           is_gain(measured.upper);
  if (!has_numbers || measured.n <= 0 || measured.n > kMostPairs || !verdict ||
      recommendation.rule.empty()) {
    refuse(run, "result.json is damaged", "a recommendation lacks numbers or its verdict");
  }
  return JudgedPrediction{.run = run,
                          .recommendation = recommendation.id,
                          .rule = recommendation.rule,
                          .model = model,
                          .lower = *predicted.lower,
                          .upper = *predicted.upper,
                          .measured = {.value = *measured.value,
                                       .lower = *measured.lower,
                                       .upper = *measured.upper,
                                       .pairs = measured.n,
                                       .verdict = *verdict}};
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

bool is_run(const fs::path& folder) {
  return is_there(folder / kResult) || is_there(folder / kLedger);
}

struct Place {
  fs::path folder;
  bool is_named;  // by itself, not as one of a folder
};

std::vector<Place> runs_at(const std::vector<fs::path>& places) {
  std::vector<Place> runs;
  for (const fs::path& place : places) {
    std::error_code failed;
    if (!fs::is_directory(place, failed)) {
      refuse(place.string(), "there is no such folder", "a run directory, or a folder of them");
    }
    if (is_run(place)) {
      runs.push_back({place, true});
      continue;
    }
    for (fs::path& run : folders_in(place, is_run)) {
      runs.push_back({std::move(run), false});
    }
  }
  return runs;
}

// The folder itself, behind every link to it.
fs::path identity(const fs::path& folder) {
  std::error_code failed;
  fs::path real = fs::canonical(folder, failed);
  if (failed) {
    real = folder;
  }
  return real;
}

RecordedPredictions read_run(const fs::path& run) {
  if (!is_there(run / kResult)) {
    refuse(run.string(), "holds no result.json", "", "tune report " + run.string());
  }
  return read_predictions(read_file(run / kResult), run.string());
}

// "<run>: no run" without the name that is shown next to it.
std::string reason_of(const Error& error, const fs::path& run) {
  const std::string text = error.what();
  const std::string prefix = run.string() + ": ";
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

// Why a run asked no rules: they look at trials of the baseline, the first cell. Without one
// there was nothing to ask of, and no command that reads the run mends that.
[[noreturn]] void refuse_unasked(const result::Result& result,
                                 const std::string& run,
                                 const std::string& again) {
  constexpr std::size_t kLongestReason = 100;
  if (result.cells.empty() || result.cells.front().throughput.is_there) {
    refuse(run, "asked no rules", "it is older than they are", again);
  }
  const std::string& reason = result.cells.front().reason;
  const bool is_short = !reason.empty() && reason.size() <= kLongestReason;
  refuse(run,
         "nothing was measured",
         "no trial of the baseline completed" + (is_short ? ": " + reason : ""));
}

void append(std::vector<JudgedPrediction> more, PredictionHistory& history) {
  history.predictions.insert(history.predictions.end(),
                             std::make_move_iterator(more.begin()),
                             std::make_move_iterator(more.end()));
}

}  // namespace

RecordedPredictions read_predictions(const std::string& text,
                                     const std::string& run,
                                     const std::string& folder) {
  const std::string& again = folder.empty() ? run : folder;
  return predictions_of(result::read_result_of_run(text, run, again), run, again);
}

RecordedPredictions predictions_of(const result::Result& result,
                                   const std::string& run,
                                   const std::string& folder) {
  RecordedPredictions recorded;
  if (result.kind != "run") {
    return recorded;
  }
  recorded.is_run = true;
  if (result.recommendations.empty() && (result.recommendations_reason.empty() ||
                                         result.recommendations_reason == result::kNoRuleAsked)) {
    refuse_unasked(result, run, "tune report " + folder);
  }
  recorded.started_utc = result.provenance.started;
  for (const result::Recommendation& recommendation : result.recommendations) {
    if (auto prediction = read_prediction(recommendation, run)) {
      recorded.predictions.push_back(std::move(*prediction));
    }
  }
  return recorded;
}

PredictionHistory read_prediction_history(const std::vector<fs::path>& places) {
  PredictionHistory history;
  std::set<fs::path> seen;
  for (const auto& [run, is_named] : runs_at(places)) {
    if (!seen.insert(identity(run)).second) {
      continue;
    }
    try {
      RecordedPredictions recorded = read_run(run);
      if (recorded.is_run) {
        append(std::move(recorded.predictions), history);
        history.runs.push_back(run.string());
      } else if (is_named) {
        history.skipped.push_back({run.string(), kNoRun});
      }
    } catch (const Error& error) {
      history.skipped.push_back({run.string(), reason_of(error, run)});
    }
  }
  return history;
}

PredictionHistory earlier_predictions(const fs::path& run, const std::string& started_utc) {
  struct Written {
    fs::path folder;
    fs::file_time_type time;
  };
  const fs::path own = identity(run);
  std::vector<Written> beside;
  for (const fs::path& folder : folders_in(own.parent_path(), is_run)) {
    std::error_code failed;
    const auto time = fs::last_write_time(folder / kResult, failed);
    if (!failed && identity(folder) != own) {
      beside.push_back({folder, time});
    }
  }
  if (beside.size() > kMostEarlier) {
    std::stable_sort(beside.begin(), beside.end(), [](const Written& a, const Written& b) {
      return a.time > b.time;
    });
    beside.resize(kMostEarlier);
    std::sort(beside.begin(), beside.end(), [](const Written& a, const Written& b) {
      return a.folder < b.folder;
    });
  }
  PredictionHistory history;
  for (const Written& other : beside) {
    const std::string name = other.folder.filename().string();
    try {
      RecordedPredictions recorded =
          read_predictions(read_file(other.folder / kResult), name, other.folder.string());
      if (recorded.is_run && !recorded.started_utc.empty() && recorded.started_utc < started_utc) {
        append(std::move(recorded.predictions), history);
        history.runs.push_back(name);
      }
    } catch (const Error& error) {
      history.skipped.push_back({name, reason_of(error, name)});
    }
  }
  return history;
}

}  // namespace tune::advice
