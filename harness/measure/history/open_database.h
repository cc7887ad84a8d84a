#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace SQLite {
class Database;
}  // namespace SQLite

namespace tune::history {

/// <data folder>/history/history.sqlite; its write-ahead log, its lock and stores that were moved
/// aside are in the same folder.
std::filesystem::path store_file(const std::filesystem::path& data_folder);

/// The file that is locked while a store is opened for writing.
std::filesystem::path lock_file(const std::filesystem::path& store);

/// A free name next to the store: history-<mark>-<UTC without its punctuation>.sqlite.
std::filesystem::path name_aside(const std::filesystem::path& store,
                                 const std::string& mark,
                                 const std::string& utc);

/// Renames the store, with its write-ahead log, to such a name, and says which. Throws tune::Error
/// when that cannot be done: nothing has changed then but, at worst, the name of the log.
std::filesystem::path move_aside(const std::filesystem::path& store,
                                 const std::string& mark,
                                 const std::string& utc);

/// Held while a store is opened for writing: who makes it, migrates it or moves it aside is alone.
/// An flock, so it goes with the process however that ends; the file stays.
class StoreLock {
 public:
  /// Waits for it, at most so long. Throws tune::Error when the file cannot be made, MachineError
  /// when somebody else keeps the lock.
  StoreLock(const std::filesystem::path& file, std::chrono::milliseconds wait);
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

 private:
  int descriptor_;
};

/// Where the store is, and when it is opened.
struct StoreOpening {
  std::filesystem::path data_folder;  ///< machine::data_folder()
  std::string utc;                    ///< now, ISO 8601; names what is moved aside
};

/// A connection to a store of this version of the schema.
struct OpenedDatabase {
  std::unique_ptr<SQLite::Database> connection;
  std::vector<std::string> notes;  ///< sentences for the user: what was moved aside or copied
};

/// How long a busy store is waited for.
constexpr int kStoreWaitMs = 5'000;

/// Opens it for writing, and makes it where there is none (mode WAL, so that readers and one
/// writer do not wait for each other). A file that is damaged or not a history is moved aside and a
/// new one created; one of an older schema is copied aside, then migrated; the notes say so.
/// Throws tune::Error when it was written by a newer version of tune, or cannot be reached: then it
/// is unchanged.
OpenedDatabase open_to_write(const StoreOpening& opening);

/// Opens it for reading only; nothing where there is none, or an empty one. Works on a read-only
/// file system too. Moves nothing aside: throws tune::Error when it is damaged, of a newer version,
/// or cannot be reached. One of an older schema is migrated as by open_to_write().
std::optional<OpenedDatabase> open_to_read(const StoreOpening& opening);

}  // namespace tune::history
