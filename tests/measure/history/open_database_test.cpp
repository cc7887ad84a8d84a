// What may be wrong with a store: damaged, of another program or version, not to be written.

#include "measure/history/open_database.h"

#include "base/file.h"
#include "measure/history/schema.h"
#include "measure/history/sqlite_errors.h"
#include "sample_entry.h"
#include "scratch_folder.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tune::history {
namespace {

namespace fs = std::filesystem;
using dataset::complaint_of;
using dataset::contains;
using dataset::ScratchFolder;
using dataset::slurp;

// The files beside the store whose names begin so.
std::vector<fs::path> kept(const fs::path& folder, const std::string& beginning) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(store_file(folder).parent_path())) {
    if (entry.path().filename().string().starts_with(beginning)) {
      found.push_back(entry.path());
    }
  }
  return found;
}

std::string reading(const fs::path& folder) {
  return complaint_of([&] { Store::open_to_read(opening_in(folder)); });
}

std::string writing(const fs::path& folder) {
  return complaint_of([&] { Store::open_to_write(opening_in(folder)); });
}

std::size_t count_in(const fs::path& folder) {
  const auto store = Store::open_to_read(opening_in(folder));
  return store ? store->entries({}).size() : 0;
}

std::int64_t version_of(const fs::path& file) {
  SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
  return database.execAndGet("PRAGMA user_version").getInt64();
}

void set_version(const fs::path& file, std::int64_t version) {
  SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
  database.exec("PRAGMA user_version = " + std::to_string(version));
}

// A store as the first version of the schema had it, with one run.
void make_first_version(const fs::path& file) {
  fs::create_directories(file.parent_path());
  SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database.exec(migrations()[0]);
  database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
  database.exec("PRAGMA user_version = 1");
  database.exec(
      "INSERT INTO run VALUES (7, 'k', 'run', 'mlp', 'm', 's', '2026-01-01T00:00:00Z', 1, '/r', "
      "'', 'faster', 'h', 1, '0.1', '', '', '')");
  database.exec("INSERT INTO measure VALUES (7, 'throughput', 'samples/s', 100, NULL, NULL, 3)");
}

TEST(OpenDatabase, MakesAStoreInWriteAheadMode) {
  const ScratchFolder folder;
  EXPECT_FALSE(Store::open_to_read(opening_in(folder.path()))) << "reading makes none";
  EXPECT_FALSE(fs::exists(store_file(folder.path())));
  fill_store(folder.path(), 1);
  SQLite::Database database(store_file(folder.path()).string(), SQLite::OPEN_READWRITE);
  EXPECT_EQ(database.execAndGet("PRAGMA journal_mode").getString(), "wal");
  EXPECT_EQ(database.execAndGet("PRAGMA user_version").getInt64(), schema_version());
  EXPECT_EQ(database.execAndGet("PRAGMA application_id").getInt64(), kApplicationId);
}

TEST(OpenDatabase, AnEmptyFileIsAnEmptyStore) {
  const ScratchFolder folder;
  folder.write("history/history.sqlite", "");
  EXPECT_FALSE(Store::open_to_read(opening_in(folder.path())));
  fill_store(folder.path(), 1);
  EXPECT_EQ(count_in(folder.path()), 1U);
  EXPECT_TRUE(kept(folder.path(), "history-damaged").empty());
}

TEST(OpenDatabase, ADamagedStoreIsToldAndKept) {
  const ScratchFolder folder;
  const std::string rubbish(5'000, 'r');
  folder.write("history/history.sqlite", rubbish);
  const std::string told = reading(folder.path());
  EXPECT_TRUE(contains(told, "is damaged (file is not a database; the next run moves it aside)"))
      << told;
  EXPECT_EQ(slurp(store_file(folder.path())), rubbish) << "reading changes nothing";
  {
    const Store store = Store::open_to_write(opening_in(folder.path()));
    ASSERT_EQ(store.notes().size(), 1U);
    EXPECT_TRUE(contains(store.notes()[0], "is damaged (file is not a database)"));
    EXPECT_TRUE(contains(store.notes()[0], "history-damaged-20261122T101112Z.sqlite"));
  }
  const auto aside = kept(folder.path(), "history-damaged-20261122T101112Z.sqlite");
  ASSERT_EQ(aside.size(), 1U);
  EXPECT_EQ(slurp(aside[0]), rubbish);
  EXPECT_EQ(count_in(folder.path()), 0U);
}

TEST(OpenDatabase, TwoDamagedStoresOfOneSecondAreBothKept) {
  const ScratchFolder folder;
  for (const char* const rubbish : {"first store", "second store"}) {
    fs::remove(store_file(folder.path()));
    folder.write("history/history.sqlite", std::string(2'000, 'r') + rubbish);
    Store::open_to_write(opening_in(folder.path()));
  }
  EXPECT_EQ(kept(folder.path(), "history-damaged").size(), 2U);
}

TEST(OpenDatabase, AStoreWithOneBrokenPageIsKeptWhole) {
  const ScratchFolder folder;
  fill_store(folder.path(), 300);
  const fs::path file = store_file(folder.path());
  std::string bytes = slurp(file);
  ASSERT_GT(bytes.size(), 40'960U);
  bytes.replace(8'192, bytes.size() - 16'384, bytes.size() - 16'384, '\xFF');
  std::ofstream(file, std::ios::binary) << bytes;
  const Store store = Store::open_to_write(opening_in(folder.path()));
  ASSERT_EQ(store.notes().size(), 1U);
  EXPECT_TRUE(contains(store.notes()[0], "is damaged"));
  const auto aside = kept(folder.path(), "history-damaged");
  ASSERT_EQ(aside.size(), 1U);
  EXPECT_EQ(slurp(aside[0]), bytes);
}

TEST(OpenDatabase, ADatabaseOfAnotherProgramIsKept) {
  const ScratchFolder folder;
  folder.write("history/history.sqlite", "");
  {
    SQLite::Database database(store_file(folder.path()).string(), SQLite::OPEN_READWRITE);
    database.exec("CREATE TABLE bookmarks (name TEXT)");
  }
  EXPECT_TRUE(contains(reading(folder.path()), "it is a database, but no history of tune"));
  EXPECT_EQ(Store::open_to_write(opening_in(folder.path())).notes().size(), 1U);
  EXPECT_EQ(kept(folder.path(), "history-damaged").size(), 1U);
}

TEST(OpenDatabase, AnOlderStoreIsCopiedAsideAndMigrated) {
  for (const bool is_read : {true, false}) {
    const ScratchFolder folder;
    make_first_version(store_file(folder.path()));
    const auto store = is_read ? Store::open_to_read(opening_in(folder.path()))
                               : Store::open_to_write(opening_in(folder.path()));
    ASSERT_TRUE(store);
    ASSERT_EQ(store->notes().size(), 1U);
    EXPECT_TRUE(contains(store->notes()[0], "was of schema 1, is now of "));
    const std::vector<Entry> all = store->entries({});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].id, 7);
    EXPECT_EQ(all[0].measures.at(0).value, 100);
    EXPECT_TRUE(store->predictions("").empty());
    EXPECT_EQ(version_of(store_file(folder.path())), schema_version());
    const auto aside = kept(folder.path(), "history-schema-1-20261122T101112Z.sqlite");
    ASSERT_EQ(aside.size(), 1U);
    EXPECT_EQ(version_of(aside[0]), 1);
  }
}

TEST(OpenDatabase, AMigratedStoreIsTheSameAsANewOne) {
  const ScratchFolder old_folder, new_folder;
  make_first_version(store_file(old_folder.path()));
  fill_store(old_folder.path(), 1);
  fill_store(new_folder.path(), 1);
  const auto schema_in = [](const fs::path& folder) {
    SQLite::Database database(store_file(folder).string(), SQLite::OPEN_READWRITE);
    return database
        .execAndGet("SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_master ORDER BY 1)")
        .getString();
  };
  EXPECT_EQ(schema_in(old_folder.path()), schema_in(new_folder.path()));
}

TEST(OpenDatabase, ANewerStoreIsRefusedAndLeftAlone) {
  const ScratchFolder folder;
  fill_store(folder.path(), 3);
  const fs::path file = store_file(folder.path());
  set_version(file, 99);
  const std::string expected = file.string() +
                               ": was written by a newer version of tune (its schema is 99, this "
                               "tune reads up to " +
                               std::to_string(schema_version()) +
                               ") use that version, or name another folder with TUNE_DATA_DIR?";
  EXPECT_EQ(reading(folder.path()), expected);
  EXPECT_EQ(writing(folder.path()), expected);
  EXPECT_EQ(version_of(file), 99);
  EXPECT_TRUE(kept(folder.path(), "history-").empty());
  set_version(file, schema_version());
  EXPECT_EQ(count_in(folder.path()), 3U);
}

TEST(OpenDatabase, AFolderInItsPlaceIsNotMovedAside) {
  const ScratchFolder folder;
  fs::create_directories(store_file(folder.path()) / "inside");
  EXPECT_TRUE(contains(reading(folder.path()), "cannot be read"));
  EXPECT_TRUE(contains(writing(folder.path()), "cannot be written"));
  EXPECT_TRUE(fs::is_directory(store_file(folder.path()) / "inside"));
}

// Does something as a user who may not write; as root that is nobody.
class AsNobody {
 public:
  AsNobody() : is_root_(geteuid() == 0), can_(!is_root_ || seteuid(kNobody) == 0) {}
  ~AsNobody() {
    if (is_root_ && seteuid(0) != 0) {
      ADD_FAILURE() << "still nobody";
    }
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

  bool can() const { return can_; }
  static constexpr uid_t kNobody = 65'534;

 private:
  bool is_root_, can_;
};

TEST(OpenDatabase, AReadOnlyStoreCanBeReadAndSaysWhyItCannotBeWritten) {
  const ScratchFolder folder;
  fill_store(folder.path(), 2);
  const fs::path file = store_file(folder.path());
  std::string text, told;
  std::size_t seen = 0;
  chmod(folder.path().c_str(), 0755);
  chmod(file.c_str(), 0444);
  chmod(file.parent_path().c_str(), 0555);
  for (const fs::path& each : {file.parent_path(), file, lock_file(file)}) {
    if (geteuid() == 0 && chown(each.c_str(), AsNobody::kNobody, static_cast<gid_t>(-1)) != 0) {
      GTEST_SKIP() << "files cannot be given to nobody here";
    }
  }
  {
    const AsNobody nobody;
    if (!nobody.can()) {
      GTEST_SKIP() << "nobody cannot be had here";
    }
    text = reading(folder.path());
    seen = text.empty() ? count_in(folder.path()) : 0;
    told = complaint_of(
        [&] { Store::open_to_write(opening_in(folder.path())).add({sample_entry(5)}); });
  }
  chmod(file.parent_path().c_str(), 0755);
  EXPECT_EQ(text, "");
  EXPECT_EQ(seen, 2U);
  EXPECT_TRUE(contains(told, file.string() + ": cannot be written (")) << told;
  EXPECT_TRUE(kept(folder.path(), "history-").empty());
}

TEST(OpenDatabase, AFullDiskCostsTheNewRunsAlone) {
  const ScratchFolder folder;
  fill_store(folder.path(), 2);
  std::vector<Entry> many;
  for (int i = 10; i < 400; ++i) {
    many.push_back(sample_entry(i));
  }
  Store store = Store::open_to_write(opening_in(folder.path()));
  store.add({sample_entry(3)});  // what lies beside the store is there
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit usual{};
  getrlimit(RLIMIT_FSIZE, &usual);
  rlimit small = usual;
  small.rlim_cur = 98'304;
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string told = complaint_of([&] { store.add(many); });
  setrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, before);
  EXPECT_TRUE(contains(told, store.file().string() + ": cannot be written (")) << told;
  EXPECT_EQ(store.entries({}).size(), 3U);
  EXPECT_EQ(store.add(many), 390) << "when there is room again";
  EXPECT_EQ(count_in(folder.path()), 393U);
}

TEST(OpenDatabase, WhatSQLiteSaysIsToldInWords) {
  const auto told = [](int code) {
    return complaint_of([&] {
      complain("/d/history.sqlite", "cannot be written", SQLite::Exception("its words", code));
    });
  };
  EXPECT_EQ(told(SQLITE_FULL), "/d/history.sqlite: cannot be written (the disk is full)");
  EXPECT_EQ(told(SQLITE_READONLY), "/d/history.sqlite: cannot be written (it is read-only)");
  EXPECT_EQ(told(SQLITE_BUSY),
            "/d/history.sqlite: cannot be written (another process keeps it locked) try again?");
  EXPECT_EQ(told(SQLITE_IOERR), "/d/history.sqlite: cannot be written (its words)");
}

TEST(OpenDatabase, WhatMayPassIsNoFaultOfTheInput) {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "history.sqlite";
  write_file_synced(file, "");
  const auto complains_of = [](const fs::path& store, int code) {
    complain(store, "cannot be read", SQLite::Exception("its words", code));
  };
  EXPECT_THROW(complains_of(file, SQLITE_CANTOPEN), MachineError) << "we may open it";
  EXPECT_THROW(complains_of(file, SQLITE_BUSY), MachineError);
  for (const fs::path& store : {folder.path(), folder.path() / "none" / "history.sqlite"}) {
    try {
      complains_of(store, SQLITE_CANTOPEN);
      ADD_FAILURE();
    } catch (const MachineError&) {
      ADD_FAILURE() << store;
    } catch (const Error&) {
    }
  }
}

TEST(StoreLock, WaitsNoLongerThanItMay) {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "lock";
  const StoreLock held(file, std::chrono::milliseconds(0));
  EXPECT_EQ(complaint_of([&] { StoreLock(file, std::chrono::milliseconds(20)); }),
            file.string() + ": cannot be locked (another process keeps the lock) try again?");
}

}  // namespace
}  // namespace tune::history
