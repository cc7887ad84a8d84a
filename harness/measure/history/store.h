#pragma once

#include "advice/prediction_quality.h"
#include "measure/history/entry.h"
#include "measure/history/open_database.h"
#include "measure/history/series.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace tune::history {

/// Which entries: "" and 0 are no limit.
struct EntryFilter {
  std::string scenario;
  std::int64_t id = 0;
  std::int64_t limit = 0;  ///< so many of the newest
};

/// Which series; "" matches all.
struct SeriesFilter {
  std::string metric = "throughput";  ///< name of a Measure
  std::string scenario, machine, subject;
};

/// The history over runs: one SQLite file of this user. Several processes may use it at once; every
/// call that writes is one transaction. Every call throws tune::Error where the file cannot be read
/// or written; it then holds what it held before.
class Store {
 public:
  /// See history::open_to_write().
  static Store open_to_write(const StoreOpening& opening);
  /// See history::open_to_read().
  static std::optional<Store> open_to_read(const StoreOpening& opening);

  ~Store();
  Store(Store&& other) noexcept;
  Store& operator=(Store&&) = delete;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// What the user must be told of opening it.
  const std::vector<std::string>& notes() const { return notes_; }
  const std::filesystem::path& file() const { return file_; }

  /// Adds them all, or none. One whose key is there takes that one's place and number. Returns how
  /// many are new.
  std::int64_t add(const std::vector<Entry>& entries);

  /// Newest first.
  std::vector<Entry> entries(const EntryFilter& filter) const;

  /// By scenario, then machine, then newest first.
  std::vector<Series> series(const SeriesFilter& filter) const;

  /// The predictions of all runs, oldest first; "" is every scenario.
  std::vector<advice::JudgedPrediction> predictions(const std::string& scenario) const;

  /// Names of scenarios, sorted.
  std::vector<std::string> scenarios() const;

  /// Forgets them; returns how many there were. Their numbers are not given again.
  std::int64_t remove(const std::vector<std::int64_t>& ids);

  /// Gives the room of what was forgotten back to the file system; returns the bytes.
  std::int64_t compact();

 private:
  Store(std::filesystem::path file, OpenedDatabase opened);

  std::filesystem::path file_;
  std::unique_ptr<SQLite::Database> database_;
  std::vector<std::string> notes_;
};

}  // namespace tune::history
