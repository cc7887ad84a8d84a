#include "cli/worker_program.h"

#include "base/error.h"
#include "machine/worker_torch.h"

#include <cstdlib>
#include <unistd.h>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_named(const fs::path& program) {
  throw Error(Error::Parts{
      program.string(), "is no program", "from environment variable TUNE_WORKER_PROGRAM", ""});
}

[[noreturn]] void refuse_own(const fs::path& program) {
  std::error_code unknown;
  const fs::path folder = program.parent_path();
  const bool is_installed = !fs::exists(folder.parent_path() / "CMakeCache.txt", unknown);
  throw Error(Error::Parts{program.string(),
                           "is no program",
                           is_installed ? "this tune was installed without its worker"
                                        : "this tune was built without its worker",
                           is_installed ? "Install the package tune-worker of the same version"
                                        : "./tune run builds it"});
}

}  // namespace

fs::path locate_worker_program() {
  const char* named = std::getenv("TUNE_WORKER_PROGRAM");
  const bool is_named = named != nullptr && *named != '\0';
  std::error_code failed;
  fs::path program = is_named
                         ? fs::absolute(named)
                         : fs::read_symlink("/proc/self/exe", failed).parent_path() / "tune-worker";
  if (!fs::is_regular_file(program, failed) || access(program.c_str(), X_OK) != 0) {
    if (is_named) {
      refuse_named(program);
    }
    refuse_own(program);
  }
  return program;
}

fs::path find_worker_program() {
  fs::path program = locate_worker_program();
  machine::torch_of_worker(program);  // a sentence now instead of the loader's words in every trial
  return program;
}

}  // namespace tune::cli
