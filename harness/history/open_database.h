#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace tune::history {

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
/// writer do not wait for each other). One that is damaged or no history is moved aside and a new
/// one begun; one of an older schema is copied aside, then migrated; both are told in the notes.
/// Throws tune::Error when it was written by a newer version of tune, or cannot be reached: then it
/// is as it was.
OpenedDatabase open_to_write(const StoreOpening& opening);

/// Opens it for reading alone; nothing where there is none, or an empty one. Reads what lies on a
/// file system that is read-only too. Moves nothing aside: throws tune::Error when it is damaged,
/// of a newer version, or cannot be reached. One of an older schema is migrated as by
/// open_to_write().
std::optional<OpenedDatabase> open_to_read(const StoreOpening& opening);

}  // namespace tune::history
