#include "base/assert.h"

#include "base/error.h"

#include <cstdio>
#include <unistd.h>

namespace tune {

void fail_assertion(const char* what, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: our bug: %s (please report it)\n", file, line, what);
  std::fflush(stderr);
  _exit(static_cast<int>(ExitCode::our_bug));
}

}  // namespace tune
