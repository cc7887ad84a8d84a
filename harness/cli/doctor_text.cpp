#include "cli/doctor_text.h"

#include "cli/plain_row.h"
#include "cli/wrapped_text.h"
#include "report/markup.h"
#include "report/number_text.h"

namespace tune::cli {

namespace {

using doctor::Check;
using doctor::Level;

constexpr std::size_t kLevelColumns = 9;

std::string level_head(const Check& check) {
  std::string head = "  " + std::string(name(check.level));
  head.resize(2 + kLevelColumns, ' ');
  return head;
}

// Colour stands beside the word, never instead of it.
std::string coloured(const Terminal& terminal, Level level, const std::string& line) {
  return level == Level::ok     ? line
         : level == Level::note ? bold(terminal, line)
                                : yellow(terminal, line);
}

std::string check_text(const Check& check, const Terminal& terminal) {
  // Names of processes and devices may be any bytes.
  std::string line = wrapped(level_head(check), one_line(check.found), terminal.width);
  line.pop_back();
  std::string text = coloured(terminal, check.level, line) + "\n";
  const std::string below(2 + kLevelColumns, ' ');
  if (!check.why.empty()) {
    text += wrapped(below, check.why, terminal.width);
  }
  if (!check.advice.empty()) {
    text += wrapped(below + "-> ", check.advice, terminal.width);
  }
  return text;
}

std::string count_text(const doctor::Checkup& checkup, Level level, const char* singular) {
  const auto count = static_cast<std::int64_t>(checkup.count(level));
  return count == 0 ? "" : report::counted(count, singular) + ", ";
}

}  // namespace

std::string doctor_text(const doctor::Checkup& checkup,
                        const doctor::Observation& observation,
                        const Terminal& terminal) {
  std::string text = wrapped("", one_line(machine_line(observation)), terminal.width);
  std::string group, unknown;
  for (const Check& check : checkup.checks) {
    if (check.level == Level::unknown) {
      unknown += wrapped("  ", one_line(check.found), terminal.width);
      continue;
    }
    if (check.group != group) {
      group = check.group;
      text += "\n" + group + "\n";
    }
    text += check_text(check, terminal);
  }
  if (!unknown.empty()) {
    text += "\nnot known here\n" + dim(terminal, unknown.substr(0, unknown.size() - 1)) + "\n";
  }
  std::string counts = count_text(checkup, Level::failure, "failure") +
                       count_text(checkup, Level::warning, "warning") +
                       count_text(checkup, Level::note, "note");
  counts = counts.empty() ? "nothing to look at" : counts.substr(0, counts.size() - 2);
  return text + "\n" + bold(terminal, counts) + "; nothing was changed\n";
}

std::string doctor_rows(const doctor::Checkup& checkup) {
  std::string rows;
  for (const Check& check : checkup.checks) {
    rows += plain_row({check.id, name(check.level), check.found, check.advice});
  }
  return rows;
}

}  // namespace tune::cli
