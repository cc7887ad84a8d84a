#include "report/launch_line.h"

#include "base/error.h"
#include "base/text.h"
#include "machine/preloaded_library.h"
#include "report/run_facts.h"
#include "report/run_words.h"
#include "report/short_answer.h"
#include "trial/environment_knob.h"

#include <algorithm>
#include <vector>

namespace tune::report {

namespace {

constexpr const char* kCpus = "cpu_affinity";
constexpr const char* kPreload = "environment.LD_PRELOAD";

bool stands_before_command(const std::string& knob) {
  return knob == kCpus || trial::is_environment_knob(knob);
}

// The file of a library, where this machine has it.
std::string value_of(const std::string& knob, const std::string& value) {
  try {
    return knob == kPreload ? machine::preloaded_library(value) : value;
  } catch (const Error&) {
    return value;
  }
}

// NAME='a value': a shell takes no quotes around the whole.
std::string assignment(const std::string& knob, const std::string& value) {
  return knob.substr(trial::kEnvironmentKnob.size()) + "=" +
         command_line({one_line(value_of(knob, value))});
}

}  // namespace

bool seeks_launch_line(const result::Result& result) {
  return result.kind == "run" && result.cells.size() > 1 &&
         std::all_of(result.cells.begin(), result.cells.end(), [](const result::Cell& cell) {
           return std::all_of(cell.changed.begin(), cell.changed.end(), [](const auto& setting) {
             return stands_before_command(setting.first);
           });
         });
}

std::string launch_line(const result::Result& result, const result::Cell& cell) {
  std::string variables, cpus;
  for (const auto& [knob, value] : cell.knobs) {
    const std::string text = trial::to_text(value);
    if (trial::is_environment_knob(knob) && text != trial::kVariableAsItIs) {
      variables += assignment(knob, text) + " ";
    } else if (knob == kCpus && !text.empty()) {
      cpus = "taskset -c " + command_line({one_line(text)}) + " ";
    }
  }
  const bool has_command = result.script && !result.script->command.empty();
  return variables + cpus + (has_command ? command_line(result.script->command) : "YOUR-COMMAND");
}

std::string launch_answer(const result::Result& result) {
  if (!seeks_launch_line(result)) {
    return "";
  }
  const result::Cell* const best = best_of(result);
  if (is_proven(result) && best != nullptr) {
    return launch_line(result, *best);
  }
  const std::string& standing = result.summary.standing;
  const bool is_decided = standing == "not-faster" || standing == "nothing-faster";
  const std::string better = words_of(result).better;
  return is_decided ? "no line is " + better + " than yours"
                    : "no line is proven " + better + " than yours" +
                          (doubt_of(result).empty() ? "" : " (" + doubt_of(result) + ")");
}

}  // namespace tune::report
