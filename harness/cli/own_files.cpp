#include "cli/own_files.h"

#include "base/error.h"
#include "cli/prepare_data.h"
#include "cli/prepare_model.h"

namespace tune::cli {

std::vector<std::string> look_at_own_files(const scenario::Scenario& scenario) {
  std::vector<Error::Parts> problems;
  std::vector<std::string> notes;
  const auto look = [&](const auto& at_something) {
    try {
      at_something();
    } catch (const MachineError&) {
      throw;
    } catch (const Error& error) {
      problems.insert(problems.end(), error.complaints().begin(), error.complaints().end());
    }
  };
  look([&] { expect_model_file(scenario.workload, scenario.model_place); });
  look([&] { notes = describe_own_data(scenario).notes; });
  if (!problems.empty()) {
    throw Error(problems);
  }
  return notes;
}

}  // namespace tune::cli
