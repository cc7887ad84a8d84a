#include "cli/ask_worker.h"

#include "base/error.h"
#include "runner/run_program.h"

#include <map>

namespace tune::cli {

namespace {

WorkerAnswer ask(const std::filesystem::path& worker) {
  constexpr std::int64_t kLongestNs = 60'000'000'000;
  constexpr std::size_t kMostBytes = 1 << 16;
  WorkerAnswer answer;
  try {
    const runner::ProgramRun run =
        runner::run_program(worker, "--describe", kLongestNs, nullptr, kMostBytes);
    answer.problem = run.problem();
    if (answer.problem.empty()) {
      answer.description = trial::parse_worker_description(run.output, "its description");
    }
  } catch (const Error& error) {
    answer.problem = error.what();
  }
  return answer;
}

}  // namespace

const WorkerAnswer& ask_worker(const std::filesystem::path& worker) {
  static std::map<std::filesystem::path, WorkerAnswer> answers;
  const auto found = answers.find(worker);
  return found != answers.end() ? found->second
                                : answers.emplace(worker, ask(worker)).first->second;
}

}  // namespace tune::cli
