#include "cli/worker_program.h"

#include "base/error.h"

#include <cstdlib>
#include <unistd.h>

namespace tune::cli {

std::filesystem::path find_worker_program() {
  namespace fs = std::filesystem;
  const char* named = std::getenv("TUNE_WORKER_PROGRAM");
  const bool is_named = named != nullptr && *named != '\0';
  std::error_code failed;
  const fs::path program =
      is_named ? fs::absolute(named)
               : fs::read_symlink("/proc/self/exe", failed).parent_path() / "tune-worker";
  if (!fs::is_regular_file(program, failed) || access(program.c_str(), X_OK) != 0) {
    throw Error(Error::Parts{program.string(),
                             "is no program",
                             is_named ? "from environment variable TUNE_WORKER_PROGRAM"
                                      : "this tune was built without its worker",
                             is_named ? "" : "./tune run builds it"});
  }
  return program;
}

}  // namespace tune::cli
