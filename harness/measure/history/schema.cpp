#include "measure/history/schema.h"

#include <array>

namespace tune::history {

namespace {

// Version 1: a run, and its numbers. A number of a run is never given to another one.
constexpr const char* kRuns = R"sql(
CREATE TABLE run (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  scenario TEXT NOT NULL,
  machine TEXT NOT NULL,
  subject TEXT NOT NULL,
  started TEXT NOT NULL,
  elapsed REAL NOT NULL,
  directory TEXT NOT NULL,
  setting TEXT NOT NULL,
  verdict TEXT NOT NULL,
  headline TEXT NOT NULL,
  complete INTEGER NOT NULL,
  tune_version TEXT NOT NULL,
  commit_hash TEXT NOT NULL,
  torch_version TEXT NOT NULL,
  worker_sha256 TEXT NOT NULL
);
CREATE INDEX run_by_start ON run (started, id);
CREATE TABLE measure (
  run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  unit TEXT NOT NULL,
  value REAL NOT NULL,
  lower REAL,
  upper REAL,
  n INTEGER NOT NULL,
  PRIMARY KEY (run, name)
) WITHOUT ROWID;
)sql";

// Version 2: what the rules predicted of a run, and what its fresh pairs gave.
constexpr const char* kPredictions = R"sql(
CREATE TABLE prediction (
  run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  recommendation TEXT NOT NULL,
  rule TEXT NOT NULL,
  model TEXT NOT NULL,
  lower REAL NOT NULL,
  upper REAL NOT NULL,
  measured REAL NOT NULL,
  measured_lower REAL NOT NULL,
  measured_upper REAL NOT NULL,
  pairs INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  PRIMARY KEY (run, recommendation)
) WITHOUT ROWID;
)sql";

constexpr std::array<const char*, 2> kMigrations = {kRuns, kPredictions};

}  // namespace

std::span<const char* const> migrations() {
  return kMigrations;
}

}  // namespace tune::history
