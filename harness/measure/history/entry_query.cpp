#include "measure/history/entry_query.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <array>
#include <optional>
#include <utility>

namespace tune::history {

namespace {

using advice::JudgedPrediction;
using Verdict = advice::MeasuredGain::Verdict;
using SQLite::Statement;

constexpr const char* kPutRun =
    "INSERT INTO run (key, kind, scenario, machine, subject, started, elapsed, directory, setting, "
    "verdict, headline, complete, tune_version, commit_hash, torch_version, worker_sha256) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) "
    "ON CONFLICT (key) DO UPDATE SET kind = ?2, scenario = ?3, machine = ?4, subject = ?5, "
    "started = ?6, elapsed = ?7, directory = ?8, setting = ?9, verdict = ?10, headline = ?11, "
    "complete = ?12, tune_version = ?13, commit_hash = ?14, torch_version = ?15, "
    "worker_sha256 = ?16 RETURNING id";

// The columns of an entry, in the order of entry_of().
constexpr const char* kRuns =
    "SELECT id, key, kind, scenario, machine, subject, started, elapsed, directory, setting, "
    "verdict, headline, complete, tune_version, commit_hash, torch_version, worker_sha256 "
    "FROM run WHERE (?1 = '' OR scenario = ?1) AND (?2 = 0 OR id = ?2) "
    "ORDER BY started DESC, id DESC LIMIT ?3";

// The columns of a prediction, in the order of prediction_of().
constexpr const char* kPredictionsOfRun =
    "SELECT directory, recommendation, rule, model, lower, upper, measured, measured_lower, "
    "measured_upper, pairs, prediction.verdict FROM prediction JOIN run ON run.id = prediction.run "
    "WHERE prediction.run = ? ORDER BY recommendation";
constexpr const char* kPredictions =
    "SELECT directory, recommendation, rule, model, lower, upper, measured, measured_lower, "
    "measured_upper, pairs, prediction.verdict FROM prediction JOIN run ON run.id = prediction.run "
    "WHERE (?1 = '' OR scenario = ?1) ORDER BY started, run.id, recommendation";

void bind_bound(Statement& statement, int place, const std::optional<double>& bound) {
  if (bound) {
    statement.bind(place, *bound);
  } else {
    statement.bind(place);  // NULL
  }
}

std::optional<double> bound_at(const Statement& statement, int column) {
  return statement.isColumnNull(column) ? std::nullopt
                                        : std::optional(statement.getColumn(column).getDouble());
}

std::string text_at(const Statement& statement, int column) {
  return statement.getColumn(column).getString();
}

// The store may be damaged or edited by hand: a word that means nothing is the careful one.
Verdict verdict_of(const std::string& word) {
  for (const Verdict verdict : {Verdict::confirmed, Verdict::refuted}) {
    if (word == to_text(verdict)) {
      return verdict;
    }
  }
  return Verdict::ambiguous;
}

JudgedPrediction prediction_of(const Statement& row) {
  JudgedPrediction prediction;
  prediction.run = text_at(row, 0);
  prediction.recommendation = text_at(row, 1);
  prediction.rule = text_at(row, 2);
  prediction.model = text_at(row, 3);
  prediction.lower = row.getColumn(4).getDouble();
  prediction.upper = row.getColumn(5).getDouble();
  prediction.measured.value = row.getColumn(6).getDouble();
  prediction.measured.lower = row.getColumn(7).getDouble();
  prediction.measured.upper = row.getColumn(8).getDouble();
  prediction.measured.pairs = row.getColumn(9).getInt64();
  prediction.measured.verdict = verdict_of(text_at(row, 10));
  return prediction;
}

Entry entry_of(const Statement& row) {
  Entry entry;
  entry.id = row.getColumn(0).getInt64();
  entry.key = text_at(row, 1);
  entry.kind = text_at(row, 2);
  entry.scenario = text_at(row, 3);
  entry.machine = text_at(row, 4);
  entry.subject = text_at(row, 5);
  entry.started_utc = text_at(row, 6);
  entry.elapsed_s = row.getColumn(7).getDouble();
  entry.directory = text_at(row, 8);
  entry.setting = text_at(row, 9);
  entry.verdict = text_at(row, 10);
  entry.headline = text_at(row, 11);
  entry.complete = row.getColumn(12).getInt() != 0;
  entry.tune_version = text_at(row, 13);
  entry.commit = text_at(row, 14);
  entry.torch_version = text_at(row, 15);
  entry.worker_sha256 = text_at(row, 16);
  return entry;
}

std::vector<Measure> measures_of(Statement& query, std::int64_t run) {
  std::vector<Measure> measures;
  query.bind(1, run);
  while (query.executeStep()) {
    Measure measure;
    measure.name = text_at(query, 0);
    measure.unit = text_at(query, 1);
    measure.value = query.getColumn(2).getDouble();
    measure.lower = bound_at(query, 3);
    measure.upper = bound_at(query, 4);
    measure.n = query.getColumn(5).getInt64();
    measures.push_back(std::move(measure));
  }
  query.reset();
  return measures;
}

std::vector<JudgedPrediction> predictions_of(Statement& query) {
  std::vector<JudgedPrediction> predictions;
  while (query.executeStep()) {
    predictions.push_back(prediction_of(query));
  }
  query.reset();
  return predictions;
}

}  // namespace

struct EntryWriter::Statements {
  explicit Statements(SQLite::Database& database)
      : put_run(database, kPutRun),
        forget_measures(database, "DELETE FROM measure WHERE run = ?"),
        forget_predictions(database, "DELETE FROM prediction WHERE run = ?"),
        put_measure(database, "INSERT OR REPLACE INTO measure VALUES (?, ?, ?, ?, ?, ?, ?)"),
        put_prediction(database,
                       "INSERT OR REPLACE INTO prediction VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                       "?)") {}

  std::int64_t put_entry(const Entry& entry) {
    const std::array<const std::string*, 6> before = {&entry.key,
                                                      &entry.kind,
                                                      &entry.scenario,
                                                      &entry.machine,
                                                      &entry.subject,
                                                      &entry.started_utc};
    const std::array<const std::string*, 4> middle = {
        &entry.directory, &entry.setting, &entry.verdict, &entry.headline};
    const std::array<const std::string*, 4> after = {
        &entry.tune_version, &entry.commit, &entry.torch_version, &entry.worker_sha256};
    int place = 1;
    for (const std::string* const text : before) {
      put_run.bind(place++, *text);
    }
    put_run.bind(place++, entry.elapsed_s);
    for (const std::string* const text : middle) {
      put_run.bind(place++, *text);
    }
    put_run.bind(place++, entry.complete ? 1 : 0);
    for (const std::string* const text : after) {
      put_run.bind(place++, *text);
    }
    put_run.executeStep();
    const std::int64_t id = put_run.getColumn(0).getInt64();
    put_run.reset();
    return id;
  }

  void put(std::int64_t run, const Measure& measure) {
    put_measure.bind(1, run);
    put_measure.bind(2, measure.name);
    put_measure.bind(3, measure.unit);
    put_measure.bind(4, measure.value);
    bind_bound(put_measure, 5, measure.lower);
    bind_bound(put_measure, 6, measure.upper);
    put_measure.bind(7, measure.n);
    put_measure.exec();
    put_measure.reset();
  }

  void put(std::int64_t run, const JudgedPrediction& prediction) {
    const advice::MeasuredGain& gain = prediction.measured;
    put_prediction.bind(1, run);
    put_prediction.bind(2, prediction.recommendation);
    put_prediction.bind(3, prediction.rule);
    put_prediction.bind(4, prediction.model);
    int place = 5;
    for (const double value :
         {prediction.lower, prediction.upper, gain.value, gain.lower, gain.upper}) {
      put_prediction.bind(place++, value);
    }
    put_prediction.bind(place++, gain.pairs);
    put_prediction.bind(place, std::string(to_text(gain.verdict)));
    put_prediction.exec();
    put_prediction.reset();
  }

  Statement put_run, forget_measures, forget_predictions, put_measure, put_prediction;
};

EntryWriter::EntryWriter(SQLite::Database& database)
    : statements_(std::make_unique<Statements>(database)) {}

EntryWriter::~EntryWriter() = default;

void EntryWriter::put(const Entry& entry) {
  const std::int64_t run = statements_->put_entry(entry);
  for (Statement* const forget :
       {&statements_->forget_measures, &statements_->forget_predictions}) {
    forget->bind(1, run);
    forget->exec();
    forget->reset();
  }
  for (const Measure& measure : entry.measures) {
    statements_->put(run, measure);
  }
  for (const JudgedPrediction& prediction : entry.predictions) {
    statements_->put(run, prediction);
  }
}

std::vector<Entry> EntryReader::read(const std::string& scenario,
                                     std::int64_t id,
                                     std::int64_t limit) {
  constexpr std::int64_t kAll = -1;
  std::vector<Entry> entries;
  Statement runs(database_, kRuns);
  runs.bind(1, scenario);
  runs.bind(2, id);
  runs.bind(3, limit > 0 ? limit : kAll);
  while (runs.executeStep()) {
    entries.push_back(entry_of(runs));
  }
  Statement measures(database_,
                     "SELECT name, unit, value, lower, upper, n FROM measure WHERE run = ?");
  Statement predictions(database_, kPredictionsOfRun);
  for (Entry& entry : entries) {
    entry.measures = measures_of(measures, entry.id);
    predictions.bind(1, entry.id);
    entry.predictions = predictions_of(predictions);
  }
  return entries;
}

std::vector<JudgedPrediction> read_predictions(SQLite::Database& database,
                                               const std::string& scenario) {
  Statement query(database, kPredictions);
  query.bind(1, scenario);
  return predictions_of(query);
}

}  // namespace tune::history
