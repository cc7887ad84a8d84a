#include "history/store_place.h"

#include "base/error.h"

#include <system_error>

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
  // The log first: beside a new store it would be taken for that one's.
  rename_if_there(with_ending(store, "-wal"), with_ending(kept, "-wal"));
  rename_if_there(store, kept);
  std::error_code ignored;
  fs::remove(with_ending(store, "-shm"), ignored);  // an index of the log, made anew when needed
  return kept;
}

}  // namespace tune::history
