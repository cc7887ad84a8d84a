#include "cli/answer.h"

#include "base/fields.h"
#include "base/text.h"
#include "cli/fitted_table.h"
#include "cli/shell_words.h"
#include "cli/wrapped_text.h"
#include "report/diagnosis_text.h"
#include "report/headline.h"
#include "report/ladder_text.h"
#include "report/latency_text.h"
#include "report/markup.h"
#include "report/method_text.h"
#include "report/number_text.h"
#include "report/ranked_table.h"
#include "report/result_json.h"
#include "report/run_advice.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

using campaign::CampaignResult;

constexpr std::size_t kLongestReason = 300;

// As bash and zsh read it: one line, whatever the name is made of.
std::string in_ansi_quotes(std::string_view path) {
  std::string text = "$'";
  while (!path.empty()) {
    const Character character = first_character(path);
    for (const char letter : path.substr(0, character.bytes)) {
      std::array<char, 8> octal{};
      (void)std::snprintf(octal.data(), octal.size(), "\\%03o", static_cast<unsigned char>(letter));
      const bool is_special = letter == '\'' || letter == '\\' || letter == '\n' || letter == '\t';
      text += character.is_shown && !is_special ? std::string(1, letter) : octal.data();
    }
    path.remove_prefix(character.bytes);
  }
  return text + "'";
}

std::string in_quotes(const std::string& path) {
  const bool plain = path.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_-./+,:@%") == std::string::npos;
  if (plain) {
    return path;
  }
  return within_a_line(path) == path ? quoted_for_sh(path) : in_ansi_quotes(path);
}

// "c03, c07, c08 and 12 more": the cells that no trial was run of.
std::string cells_not_run(const CampaignResult& result) {
  constexpr std::size_t kMostNamed = 12;
  std::string names;
  std::size_t count = 0;
  for (const campaign::CellResult& cell : result.cells) {
    if (cell.outcome == "not-run" && ++count <= kMostNamed) {
      names += (names.empty() ? "" : ", ") + cell.cell.id;
    }
  }
  return count > kMostNamed ? names + " and " + std::to_string(count - kMostNamed) + " more"
                            : names;
}

// {"the trials run on the CPU", "cudnn_benchmark, pin_memory"}, in the plan's order.
std::vector<std::pair<std::string, std::string>> collapsed_by_reason(const scenario::Plan& plan) {
  std::vector<std::pair<std::string, std::string>> groups;
  for (const scenario::CollapsedKnob& knob : plan.collapsed) {
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return group.first == knob.reason;
    });
    if (known == groups.end()) {
      groups.emplace_back(knob.reason, knob.knob);
    } else {
      known->second += ", " + knob.knob;
    }
  }
  return groups;
}

std::string left_out(const CampaignResult& result, const Terminal& terminal) {
  std::string text;
  for (const auto& [reason, knobs] : collapsed_by_reason(result.plan)) {
    const std::string named = std::string(knobs).append(" (").append(reason).append(")");
    text += wrapped("not applicable: ", named, terminal.width);
  }
  for (const scenario::ForbiddenCells& forbidden : result.plan.forbidden) {
    text += wrapped("forbidden: ",
                    forbidden.text + " (" + report::counted(forbidden.cells, "combination") + ")",
                    terminal.width);
  }
  text = text.empty() ? "" : dim(terminal, text.substr(0, text.size() - 1)) + "\n";
  for (const campaign::CellResult& cell : result.cells) {
    if (cell.outcome != "completed" && cell.outcome != "not-run") {
      text += wrapped("failed: ",
                      cell.cell.id + " " + report::setting_text(cell.cell) + ": " +
                          shortened(cell.reason, kLongestReason),
                      terminal.width);
    }
  }
  for (const std::string& warning : result.warnings) {
    text += yellow(terminal, wrapped("warning: ", one_line(warning), terminal.width));
  }
  if (const std::string cells = cells_not_run(result); !cells.empty()) {
    text += wrapped("not run: ", cells, terminal.width);
  }
  if (!result.complete) {
    text += yellow(terminal,
                   wrapped("incomplete: ", one_line(result.incomplete_reason), terminal.width));
  }
  return text;
}

// As --budget reads it.
std::string typed_time(std::int64_t ns) {
  constexpr std::int64_t kSecondNs = 1'000'000'000;
  const std::int64_t seconds = ns / kSecondNs;
  return seconds % 60 == 0 ? std::to_string(seconds / 60) + "m" : std::to_string(seconds) + "s";
}

// Last of all, so that it stands above the prompt: what to type now.
std::string next_step(const CampaignResult& result) {
  const std::string report = short_path(result.directory / "report.html");
  std::string text = "report:  " + report + "\n";
  const report::Conclusion conclusion = report::conclude(result);
  if (conclusion.standing == report::Standing::faster && conclusion.best != nullptr) {
    text += "set:     " + trial::to_text(conclusion.best->cell.changed) + "\n";
  }
  if (result.baseline_failed) {  // no trial can follow: the setting itself must change
    text += "stopped: " + shortened(result.incomplete_reason, kLongestReason) +
            "; mend it, then start a new run";
  } else if (result.budget_wanted_ns) {
    text += "go on:   " + resume_command(result.directory) + " --budget " +
            typed_time(*result.budget_wanted_ns);
  } else if (result.trials_missing > 0) {
    text += "go on:   " + resume_command(result.directory);
  } else if (result.scenario.shard && result.complete) {
    text += "next:    tune merge " + quoted(result.directory) + " and the other shards";
  } else {
    text += "next:    tune report " + quoted(result.directory);
  }
  return text + "\n";
}

// What limits the baseline, in the few lines that a terminal has for it.
std::string advice(const CampaignResult& result, const Terminal& terminal) {
  constexpr std::size_t kShown = 3;
  if (!result.diagnosis) {
    return "";
  }
  std::string text;
  for (const std::string& line :
       report::recommendation_lines(result.diagnosis->diagnosis, kShown)) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    text += wrapped(line.substr(0, indent), line.substr(indent), terminal.width);
  }
  for (const std::string& line : report::ladder_lines(result)) {
    text += wrapped("path ", line, terminal.width);
  }
  if (const std::string ceilings = report::ceiling_words(result); !ceilings.empty()) {
    text += wrapped("ceilings: ", ceilings, terminal.width);
  }
  return text.empty() ? "" : "what limits the baseline (predicted gains do not add):\n" + text;
}

}  // namespace

std::string short_path(const std::filesystem::path& path) {
  std::error_code failed;
  std::string here = std::filesystem::proximate(path, failed).string();
  here.insert(0, here.starts_with('-') ? "./" : "");  // else it would be a flag
  return failed || here.size() > path.string().size() ? path.string() : here;
}

std::string quoted(const std::filesystem::path& path) {
  return in_quotes(short_path(path));
}

std::string quoted(const std::string& path) {
  return quoted(std::filesystem::path(path));
}

std::string resume_command(const std::filesystem::path& directory) {
  return "tune run --resume " + quoted(directory);
}

std::string answer(const CampaignResult& result, const Terminal& terminal) {
  std::string text;
  if (!result.trials.empty()) {
    report::RankedTable table = report::ranked_table(result);
    const std::string note = table.note;
    text = FittedTable(std::move(table), terminal.width).print(terminal) +
           dim(terminal, wrapped("", note, terminal.width)) + "\n";
  }
  const std::string aside = left_out(result, terminal);
  text += aside.empty() ? "" : aside + "\n";
  text += wrapped("", report::effort(result), terminal.width);
  if (const std::string audit = report::audit_text(result); !audit.empty()) {
    text += wrapped("audit: ", audit, terminal.width);
  }
  for (const std::string& line : report::latency_lines(result)) {
    text += wrapped("", one_line(line), terminal.width);
  }
  text += advice(result, terminal);
  text += bold(terminal, wrapped("", report::headline(result), terminal.width));
  return text + next_step(result);
}

std::string answer_json(const CampaignResult& result) {
  const nlohmann::ordered_json whole = report::result_value(result);
  const nlohmann::ordered_json json = {{"schema", whole.at("schema")},
                                       {"kind", whole.at("kind")},
                                       {"directory", result.directory.string()},
                                       {"complete", result.complete},
                                       {"summary", whole.at("summary")}};
  return json_text(json, 2) + "\n";
}

}  // namespace tune::cli
