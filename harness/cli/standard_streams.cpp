#include "cli/standard_streams.h"

#include <cerrno>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

namespace tune::cli {

void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1 || errno != EBADF) {
      continue;
    }
    // The lowest number that is free is this one, for those below are open by now. Not closed on
    // exec: a worker needs its streams too.
    const int held =
        stream == STDIN_FILENO ? open("/dev/null", O_RDONLY) : open("/dev/full", O_WRONLY);
    if (held < 0) {
      (void)open("/dev/null", O_RDONLY);  // refuses to be written as well
    }
  }
}

}  // namespace tune::cli
