#include "measure/history/sqlite_errors.h"

#include "base/error.h"

#include <SQLiteCpp/Exception.h>

#include <cerrno>
#include <sqlite3.h>
#include <string>
#include <system_error>
#include <unistd.h>

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

namespace {

// SQLite does not say why it could not open a file. False: the permissions let us have it, so the
// machine was the cause.
bool is_kept_from_us(const std::filesystem::path& file) {
  std::error_code failed;
  const auto type = std::filesystem::status(file, failed).type();
  if (type == std::filesystem::file_type::not_found) {
    return access(file.parent_path().c_str(), W_OK | X_OK) != 0 && !is_of_machine(errno);
  }
  return type == std::filesystem::file_type::regular
             ? access(file.c_str(), R_OK | W_OK) != 0 && !is_of_machine(errno)
             : type != std::filesystem::file_type::none || !is_of_machine(failed.value());
}

// Whether the same call may do another time.
bool may_pass(const std::filesystem::path& file, int code) {
  switch (code) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_NOMEM:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return true;
    case SQLITE_CANTOPEN:
      return !is_kept_from_us(file);
    default:
      return false;
  }
}

}  // namespace

void complain(const std::filesystem::path& file,
              const char* problem,
              const SQLite::Exception& error) {
  if (is_damage(error)) {
    throw Error({file.string(),
                 "is damaged",
                 why(error) + "; the next run moves it aside",
                 "tune history import tune-runs"});
  }
  const int code = code_of(error);
  const bool is_locked = code == SQLITE_BUSY || code == SQLITE_LOCKED;
  const Error::Parts parts{file.string(), problem, why(error), is_locked ? "try again" : ""};
  if (may_pass(file, code)) {
    throw MachineError(parts);
  }
  throw Error(parts);
}

}  // namespace tune::history
