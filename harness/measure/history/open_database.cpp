#include "measure/history/open_database.h"

#include "base/error.h"
#include "base/retry.h"
#include "machine/user_folders.h"
#include "measure/history/schema.h"
#include "measure/history/sqlite_errors.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <sqlite3.h>
#include <string>
#include <sys/file.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace tune::history {

namespace fs = std::filesystem;

namespace {

// "2026-11-21T19:49:55Z" -> "20261121T194955Z"
std::string stamp(std::string utc) {
  std::erase_if(utc, [](char c) { return c == '-' || c == ':' || c == '/'; });
  return utc;
}

void rename_if_there(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(from, failed))) {
    return;
  }
  fs::rename(from, to, failed);
  if (failed) {
    throw Error({from.string(), "cannot be moved aside", failed.message(), ""});
  }
}

fs::path with_ending(const fs::path& file, const char* ending) {
  return file.string() + ending;
}

}  // namespace

fs::path store_file(const fs::path& data_folder) {
  return data_folder / "history" / "history.sqlite";
}

fs::path lock_file(const fs::path& store) {
  return with_ending(store, ".lock");
}

fs::path name_aside(const fs::path& store, const std::string& mark, const std::string& utc) {
  const std::string stem = "history-" + mark + "-" + stamp(utc);
  fs::path name = store.parent_path() / (stem + ".sqlite");
  std::error_code failed;
  for (int number = 2; fs::exists(fs::symlink_status(name, failed)); ++number) {
    name = store.parent_path() / (stem + "-" + std::to_string(number) + ".sqlite");
  }
  return name;
}

fs::path move_aside(const fs::path& store, const std::string& mark, const std::string& utc) {
  fs::path kept = name_aside(store, mark, utc);
  // The log first: next to a new store, it would be taken for the new store's log.
  rename_if_there(with_ending(store, "-wal"), with_ending(kept, "-wal"));
  rename_if_there(store, kept);
  std::error_code ignored;
  fs::remove(with_ending(store, "-shm"), ignored);  // an index of the log, rebuilt when needed
  return kept;
}

StoreLock::StoreLock(const std::filesystem::path& file, std::chrono::milliseconds wait)
    : descriptor_(retried(
          [&] { return open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600); })) {
  constexpr std::chrono::milliseconds kPause(10);
  if (descriptor_ < 0) {
    throw_failed_call(file, "cannot be written", errno);
  }
  const auto deadline = std::chrono::steady_clock::now() + wait;
  while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int reason = errno;
    const bool may_wait = reason == EWOULDBLOCK || reason == EINTR;
    if (!may_wait || std::chrono::steady_clock::now() >= deadline) {
      close(descriptor_);
      if (!may_wait) {
        throw_failed_call(file, "cannot be locked", reason);
      }
      throw MachineError(
          {file.string(), "cannot be locked", "another process keeps the lock", "try again"});
    }
    std::this_thread::sleep_for(kPause);
  }
}

StoreLock::~StoreLock() {
  close(descriptor_);
}

namespace {

using Connection = std::unique_ptr<SQLite::Database>;

enum class Standing { empty, current, older, newer, foreign };

struct Look {
  Standing standing = Standing::empty;
  std::int64_t version = 0;
};

Connection connect(const std::string& name, int flags) {
  return std::make_unique<SQLite::Database>(name, flags, kStoreWaitMs);
}

std::int64_t whole(SQLite::Database& database, const char* query) {
  return database.execAndGet(query).getInt64();
}

Look look_at(SQLite::Database& database) {
  const bool has_tables = whole(database, "SELECT count(*) FROM sqlite_master") > 0;
  const bool is_ours = whole(database, "PRAGMA application_id") == kApplicationId;
  const std::int64_t version = whole(database, "PRAGMA user_version");
  if (!has_tables) {
    return {Standing::empty, 0};
  }
  if (!is_ours || version < 1) {
    return {Standing::foreign, version};
  }
  return {version == schema_version()  ? Standing::current
          : version < schema_version() ? Standing::older
                                       : Standing::newer,
          version};
}

[[noreturn]] void refuse_newer(const fs::path& file, std::int64_t version) {
  throw Error({file.string(),
               "was written by a newer version of tune",
               "its schema is " + std::to_string(version) + ", this tune reads up to " +
                   std::to_string(schema_version()),
               "use that version, or name another folder with TUNE_DATA_DIR"});
}

[[noreturn]] void refuse_foreign() {
  throw SQLite::Exception("it is a database, but no history of tune", SQLITE_NOTADB);
}

void check_whole(SQLite::Database& database) {
  const std::string answer = database.execAndGet("PRAGMA quick_check(1)").getString();
  if (answer != "ok") {
    throw SQLite::Exception(answer, SQLITE_CORRUPT);
  }
}

void migrate(SQLite::Database& database, std::int64_t from) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  for (auto step = static_cast<std::size_t>(from); step < migrations().size(); ++step) {
    database.exec(migrations()[step]);
  }
  database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
  database.exec("PRAGMA user_version = " + std::to_string(schema_version()));
  transaction.commit();
}

// With what is still in its log; the store itself is not touched.
void copy_aside(SQLite::Database& database, const fs::path& kept) {
  try {
    SQLite::Statement copy(database, "VACUUM INTO ?");
    copy.bind(1, kept.string());
    copy.exec();
  } catch (const SQLite::Exception&) {
    std::error_code ignored;
    fs::remove(kept, ignored);  // half a copy
    throw;
  }
}

void bring_up_to_date(SQLite::Database& database,
                      std::int64_t version,
                      const StoreOpening& opening,
                      std::vector<std::string>& notes) {
  const fs::path file = store_file(opening.data_folder);
  const fs::path kept = name_aside(file, "schema-" + std::to_string(version), opening.utc);
  check_whole(database);
  copy_aside(database, kept);
  migrate(database, version);
  notes.push_back(file.string() + ": was of schema " + std::to_string(version) + ", is now of " +
                  std::to_string(schema_version()) + "; as it was it is kept as " + kept.string());
}

Connection prepare(const StoreOpening& opening, std::vector<std::string>& notes) {
  const fs::path file = store_file(opening.data_folder);
  Connection connection = connect(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  const Look look = look_at(*connection);
  switch (look.standing) {
    case Standing::empty:
      connection->exec("PRAGMA journal_mode = WAL");
      migrate(*connection, 0);
      break;
    case Standing::current:
      check_whole(*connection);
      break;
    case Standing::older:
      bring_up_to_date(*connection, look.version, opening, notes);
      break;
    case Standing::newer:
      refuse_newer(file, look.version);
    case Standing::foreign:
      refuse_foreign();
  }
  connection->exec("PRAGMA foreign_keys = ON");
  return connection;
}

// Letters, digits and /.-_~ as they are, so that no path is taken for a part of the address.
std::string as_address(const fs::path& file) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string address = "file:";
  for (const char byte : file.string()) {
    const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= '0' && byte <= '9') || byte == '/' || byte == '.' ||
                          byte == '-' || byte == '_' || byte == '~';
    if (is_plain) {
      address += byte;
      continue;
    }
    const auto value = static_cast<unsigned char>(byte);
    address += '%';
    address += kDigits[value / 16];
    address += kDigits[value % 16];
  }
  return address + "?immutable=1";
}

struct Readable {
  Connection connection;
  Look look;
};

// SQLite needs files next to a store in mode WAL, even to read it. Where none can be created, the
// store is read as one that nobody writes.
Readable open_readable(const fs::path& file) {
  struct Way {
    std::string name;
    int flags;
  };
  const std::array<Way, 3> ways = {{{file.string(), SQLite::OPEN_READWRITE},
                                    {file.string(), SQLite::OPEN_READONLY},
                                    {as_address(file), SQLite::OPEN_READONLY | SQLite::OPEN_URI}}};
  for (std::size_t i = 0;; ++i) {
    try {
      Connection connection = connect(ways[i].name, ways[i].flags);
      const Look look = look_at(*connection);
      return {std::move(connection), look};
    } catch (const SQLite::Exception& error) {
      if (!is_no_access(error) || i + 1 == ways.size()) {
        throw;
      }
    }
  }
}

}  // namespace

OpenedDatabase open_to_write(const StoreOpening& opening) {
  const fs::path file = store_file(opening.data_folder);
  machine::make_private_folder(file.parent_path());
  const StoreLock lock(lock_file(file), std::chrono::milliseconds(kStoreWaitMs));
  OpenedDatabase opened;
  try {
    opened.connection = prepare(opening, opened.notes);
    return opened;
  } catch (const SQLite::Exception& error) {
    if (!is_damage(error)) {
      complain(file, "cannot be written", error);
    }
    const fs::path kept = move_aside(file, "damaged", opening.utc);
    opened.notes.push_back(file.string() + ": is damaged (" + error.what() + "); it is kept as " +
                           kept.string() +
                           " and a new one begins: `tune history import RUN...` fills it from run "
                           "directories");
  }
  try {
    opened.connection = prepare(opening, opened.notes);
  } catch (const SQLite::Exception& error) {
    complain(file, "cannot be written", error);
  }
  return opened;
}

std::optional<OpenedDatabase> open_to_read(const StoreOpening& opening) {
  const fs::path file = store_file(opening.data_folder);
  std::error_code failed;
  if (!fs::exists(file, failed)) {
    return std::nullopt;
  }
  try {
    Readable readable = open_readable(file);
    switch (readable.look.standing) {
      case Standing::empty:
        return std::nullopt;
      case Standing::older:
        break;
      case Standing::newer:
        refuse_newer(file, readable.look.version);
      case Standing::foreign:
        refuse_foreign();
      case Standing::current:
        readable.connection->exec("PRAGMA query_only = ON");
        return OpenedDatabase{std::move(readable.connection), {}};
    }
  } catch (const SQLite::Exception& error) {
    complain(file, "cannot be read", error);
  }
  return open_to_write(opening);
}

}  // namespace tune::history
