#pragma once

namespace tune {

/// Prints "<file>:<line>: our bug: <what>" to stderr and ends the process with exit code 70
/// (base/error.h). Trials die with their parent, the ledger is synced after every trial:
/// nothing is lost.
[[noreturn]] void fail_assertion(const char* what, const char* file, int line);

}  // namespace tune

/// Our own logic, checked in every build: NDEBUG is always defined where torch headers are
/// included, so it must not switch this off. The file's name without its folder: programs that go
/// to other machines need not tell where they were built.
#define TUNE_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::tune::fail_assertion(#condition, __FILE_NAME__, __LINE__))
