#pragma once

#include "advice/prediction_quality.h"
#include "measure/history/entry.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace tune::history {

// Entries as rows of the tables run, measure and prediction (schema.cpp). What SQLite throws comes
// through as it is.

/// Writes entries, one after the other; the transaction is the caller's.
class EntryWriter {
 public:
  /// The database must outlive it.
  explicit EntryWriter(SQLite::Database& database);
  ~EntryWriter();
  EntryWriter(const EntryWriter&) = delete;
  EntryWriter& operator=(const EntryWriter&) = delete;

  /// In the place of the entry with that key, where there is one.
  void put(const Entry& entry);

 private:
  struct Statements;
  std::unique_ptr<Statements> statements_;
};

/// Reads entries.
class EntryReader {
 public:
  /// The database must outlive it.
  explicit EntryReader(SQLite::Database& database) : database_(database) {}

  /// Newest first; "" and 0 are no limit.
  std::vector<Entry> read(const std::string& scenario, std::int64_t id, std::int64_t limit);

 private:
  SQLite::Database& database_;
};

/// The predictions of all runs of the scenario ("": of any), oldest first.
std::vector<advice::JudgedPrediction> read_predictions(SQLite::Database& database,
                                                       const std::string& scenario);

}  // namespace tune::history
