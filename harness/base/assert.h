#pragma once

namespace tune {

/// Prints "<file>:<line>: our bug: <what>" to stderr and ends the process with exit code 70
/// (base/error.h). Trials die with their parent, the ledger is synced after every trial:
/// nothing is lost.
[[noreturn]] void fail_assertion(const char* what, const char* file, int line);

}  // namespace tune

/// Checks our own logic in every build: torch headers always come with NDEBUG defined, so NDEBUG
/// must not switch this off. It prints the file's name without its folder: a program that is
/// shipped need not reveal where it was built.
#define TUNE_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::tune::fail_assertion(#condition, __FILE_NAME__, __LINE__))
