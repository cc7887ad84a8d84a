#include "history/store_error.h"

#include "base/error.h"

#include <SQLiteCpp/Exception.h>

#include <sqlite3.h>
#include <string>

namespace tune::history {

namespace {

// Without what an extended code adds.
int code_of(const SQLite::Exception& error) {
  constexpr int kPrimary = 0xff;
  return error.getErrorCode() < 0 ? SQLITE_ERROR : error.getErrorCode() & kPrimary;
}

std::string why(const SQLite::Exception& error) {
  switch (code_of(error)) {
    case SQLITE_FULL:
      return "the disk is full";
    case SQLITE_READONLY:
      return "it is read-only";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process keeps it locked";
    default:
      return error.what();
  }
}

}  // namespace

bool is_damage(const SQLite::Exception& error) {
  const int code = code_of(error);
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

bool is_no_access(const SQLite::Exception& error) {
  const int code = code_of(error);
  return code == SQLITE_READONLY || code == SQLITE_CANTOPEN || code == SQLITE_PERM ||
         code == SQLITE_IOERR;
}

void complain(const std::filesystem::path& file,
              const char* problem,
              const SQLite::Exception& error) {
  if (is_damage(error)) {
    throw Error({file.string(),
                 "is damaged",
                 why(error) + "; the next run moves it aside",
                 "tune history import tune-runs"});
  }
  const bool may_pass = code_of(error) == SQLITE_BUSY || code_of(error) == SQLITE_LOCKED;
  throw Error({file.string(), problem, why(error), may_pass ? "try again" : ""});
}

}  // namespace tune::history
