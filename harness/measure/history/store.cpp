#include "measure/history/store.h"

#include "measure/history/entry_query.h"
#include "measure/history/open_database.h"
#include "measure/history/sqlite_errors.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tune::history {

namespace {

constexpr const char* kCannotRead = "cannot be read";
constexpr const char* kCannotWrite = "cannot be written";

// What SQLite throws, as an error of ours.
template <class Call>
auto told(const std::filesystem::path& file, const char* problem, Call call) {
  try {
    return call();
  } catch (const SQLite::Exception& error) {
    complain(file, problem, error);
  }
}

std::int64_t pages_bytes(SQLite::Database& database) {
  return database.execAndGet("PRAGMA page_count").getInt64() *
         database.execAndGet("PRAGMA page_size").getInt64();
}

std::int64_t count_of_runs(SQLite::Database& database) {
  return database.execAndGet("SELECT count(*) FROM run").getInt64();
}

// One for each scenario, machine and subject.
class SeriesByKey {
 public:
  explicit SeriesByKey(std::string metric) : metric_(std::move(metric)) {}

  Series& at(const std::string& scenario, const std::string& machine, const std::string& subject) {
    const auto [place, is_new] = all_.try_emplace({scenario, machine, subject});
    Series& series = place->second;
    if (is_new) {
      series.scenario = scenario;
      series.machine = machine;
      series.subject = subject;
      series.metric = metric_;
    }
    return series;
  }

  std::vector<Series> finished() {
    std::vector<Series> sorted;
    sorted.reserve(all_.size());
    for (auto& [key, series] : all_) {
      keep_newest(series);
      sorted.push_back(std::move(series));
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const Series& a, const Series& b) {
      return std::tie(a.scenario, a.machine, b.last_started) <
             std::tie(b.scenario, b.machine, a.last_started);
    });
    return sorted;
  }

 private:
  static void keep_newest(Series& series) {
    if (series.points.size() > kMostPoints) {
      series.points.erase(series.points.begin(),
                          series.points.end() - static_cast<std::ptrdiff_t>(kMostPoints));
    }
  }

  std::string metric_;
  std::map<std::tuple<std::string, std::string, std::string>, Series> all_;
};

}  // namespace

Store::Store(std::filesystem::path file, OpenedDatabase opened)
    : file_(std::move(file)),
      database_(std::move(opened.connection)),
      notes_(std::move(opened.notes)) {}

Store::~Store() = default;
Store::Store(Store&& other) noexcept = default;

Store Store::open_to_write(const StoreOpening& opening) {
  return {store_file(opening.data_folder), history::open_to_write(opening)};
}

std::optional<Store> Store::open_to_read(const StoreOpening& opening) {
  std::optional<OpenedDatabase> opened = history::open_to_read(opening);
  if (!opened) {
    return std::nullopt;
  }
  return Store(store_file(opening.data_folder), std::move(*opened));
}

std::int64_t Store::add(const std::vector<Entry>& entries) {
  return told(file_, kCannotWrite, [&] {
    SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    const std::int64_t before = count_of_runs(*database_);
    {
      EntryWriter writer(*database_);
      for (const Entry& entry : entries) {
        writer.put(entry);
      }
    }
    const std::int64_t added = count_of_runs(*database_) - before;
    transaction.commit();
    return added;
  });
}

std::vector<Entry> Store::entries(const EntryFilter& filter) const {
  return told(file_, kCannotRead, [&] {
    // One moment of the store, whoever writes meanwhile.
    SQLite::Transaction transaction(*database_);
    EntryReader reader(*database_);
    return reader.read(filter.scenario, filter.id, filter.limit);
  });
}

std::vector<Series> Store::series(const SeriesFilter& filter) const {
  return told(file_, kCannotRead, [&] {
    SQLite::Statement rows(
        *database_,
        "SELECT run.id, scenario, machine, subject, kind, started, commit_hash, torch_version, "
        "worker_sha256, value, unit FROM run LEFT JOIN measure ON measure.run = run.id AND "
        "measure.name = ?1 WHERE (?2 = '' OR scenario = ?2) AND (?3 = '' OR machine = ?3) AND "
        "(?4 = '' OR subject = ?4) ORDER BY started, run.id");
    rows.bind(1, filter.metric);
    rows.bind(2, filter.scenario);
    rows.bind(3, filter.machine);
    rows.bind(4, filter.subject);
    SeriesByKey all(filter.metric);
    while (rows.executeStep()) {
      Series& found = all.at(rows.getColumn(1).getString(),
                             rows.getColumn(2).getString(),
                             rows.getColumn(3).getString());
      ++found.runs;
      found.last_started = rows.getColumn(5).getString();
      if (!rows.isColumnNull(9)) {
        found.unit = rows.getColumn(10).getString();
        found.points.push_back({.id = rows.getColumn(0).getInt64(),
                                .kind = rows.getColumn(4).getString(),
                                .started_utc = found.last_started,
                                .value = rows.getColumn(9).getDouble(),
                                .commit = rows.getColumn(6).getString(),
                                .torch_version = rows.getColumn(7).getString(),
                                .worker_sha256 = rows.getColumn(8).getString()});
      }
    }
    return all.finished();
  });
}

std::vector<advice::JudgedPrediction> Store::predictions(const std::string& scenario) const {
  return told(file_, kCannotRead, [&] { return read_predictions(*database_, scenario); });
}

std::vector<std::string> Store::scenarios() const {
  return told(file_, kCannotRead, [&] {
    SQLite::Statement rows(*database_, "SELECT DISTINCT scenario FROM run ORDER BY scenario");
    std::vector<std::string> names;
    while (rows.executeStep()) {
      names.push_back(rows.getColumn(0).getString());
    }
    return names;
  });
}

std::int64_t Store::remove(const std::vector<std::int64_t>& ids) {
  return told(file_, kCannotWrite, [&] {
    SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    const std::int64_t before = count_of_runs(*database_);
    {
      SQLite::Statement forget(*database_, "DELETE FROM run WHERE id = ?");
      for (const std::int64_t id : ids) {
        forget.bind(1, id);
        forget.exec();
        forget.reset();
      }
    }
    const std::int64_t removed = before - count_of_runs(*database_);
    transaction.commit();
    return removed;
  });
}

std::int64_t Store::compact() {
  return told(file_, kCannotWrite, [&] {
    const std::int64_t before = pages_bytes(*database_);
    database_->exec("VACUUM");
    database_->exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return before - pages_bytes(*database_);
  });
}

}  // namespace tune::history
