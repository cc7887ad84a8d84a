#include "revision/toolchain.h"

#include "revision/failure.h"
#include "revision/git.h"
#include "runner/run_program.h"
#include "runner/user_environment.h"

#include <cstdint>

namespace tune::revision {

namespace {

// CC may hold a launcher beside the compiler, so that its words are split as make would.
constexpr const char* kQuestions = R"(
for tool in "${CC:-cc}" "${CXX:-c++}" "${CUDACXX:-nvcc}" ld cmake ninja make; do
  echo "== $tool"
  $tool --version
done 2>&1
env | grep -E '^((C|CXX|CPP|LD|CUDA)FLAGS|CC|CXX|CUDACXX|AR|LD|CMAKE_[A-Za-z_]*|CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|LIBRARY_PATH|PKG_CONFIG_PATH|TUNE_TORCH_DIR|SOURCE_DATE_EPOCH)=' | sort
)";

}  // namespace

std::string describe_toolchain(const std::filesystem::path& folder, const std::atomic<int>* stop) {
  constexpr std::int64_t kLongestNs = 60'000'000'000;
  const runner::ProgramRun run = runner::run_program(
      {.command = {.program = "/bin/sh",
                   .arguments = {"-c", kQuestions},
                   .environment = runner::user_environment(variables_of_hooks(), {"LC_ALL=C"}),
                   .folder = folder,
                   .second = runner::SecondPipe::answer},
       .timeout_ns = kLongestNs,
       .stop = stop});
  if (run.was_stopped) {
    throw Stopped();
  }
  return run.answer;
}

}  // namespace tune::revision
