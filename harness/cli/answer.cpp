#include "cli/answer.h"

#include "base/fields.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/kept_report.h"
#include "cli/shell_words.h"
#include "cli/terminal.h"
#include "report/headline.h"
#include "report/launch_line.h"
#include "report/result_json.h"
#include "report/result_of.h"
#include "report/run_facts.h"
#include "report/run_sections.h"
#include "report/run_words.h"
#include "report/script_words.h"
#include "scenario/scenario.h"

#include <nlohmann/json.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

using campaign::CampaignResult;

constexpr std::size_t kLongestReason = 300;

// Options of the script's own, then what belongs into its source, and where.
std::string script_change(const report::Run& run, const campaign::CellResult& best) {
  const trial::Script& script = run.directory->scenario.workload.script;
  std::vector<std::string> options, others;
  for (const auto& [knob, value] : trial::changed_settings(script, best.cell.knobs)) {
    const auto option = script.flags.find(knob);
    const std::string text =
        option == script.flags.end() ? "" : trial::option_text(option->second, value);
    if (!text.empty()) {
      options.push_back(text);
      continue;
    }
    const std::string place = report::place_of_knob(run.result, knob);
    others.push_back(knob + "=" + trial::to_text(value) + (place.empty() ? "" : " in " + place));
  }
  return joined({joined(options, " "), joined(others)});
}

// What tune can write is then not what was measured: a part of the setting is left to be made by
// hand.
bool were_injected(const CampaignResult& result) {
  const auto& pairs = result.confirmation;
  return pairs && pairs->form && !pairs->form->applied;
}

// Comes last, right above the prompt: what to type now.
std::string next_step(const report::Run& run) {
  const CampaignResult& result = *run.directory;
  const bool has_script = run.result.script.has_value();
  const std::string report = short_path(result.directory / "report.html");
  std::string text = "report:  " + report + "\n";
  const report::Conclusion conclusion = report::conclude(result);
  const bool is_faster =
      conclusion.standing == report::Standing::faster && conclusion.best != nullptr;
  const std::string launch = report::launch_answer(run.result);
  if (!launch.empty()) {
    text += "launch:  " + launch + "\n";
  } else if (is_faster) {
    text += "set:     " +
            (has_script ? one_line(script_change(run, *conclusion.best))
                        : trial::to_text(conclusion.best->cell.changed)) +
            "\n";
  }
  if (result.baseline_failed) {  // no trial can follow: the setting itself must change
    text += "stopped: " + shortened(result.incomplete_reason, kLongestReason) +
            "; mend it, then start a new run";
  } else if (result.budget_wanted_ns) {
    text += "resume:  " + resume_command(result.directory) + " --time " +
            typed_time(*result.budget_wanted_ns);
  } else if (result.trials_missing > 0) {
    text += "resume:  " + resume_command(result.directory);
  } else if (result.scenario.shard && result.complete) {
    text += "next:    tune merge " + typed_path(result.directory) + " and the other shards";
  } else if (is_faster && launch.empty() && (has_script || is_file(result.scenario.file))) {
    text += "next:    tune apply best " + typed_path(result.directory);
    text += were_injected(result) ? " --verify" : "";
  } else {
    text += "next:    tune report " + typed_path(result.directory);
  }
  return text + "\n";
}

}  // namespace

std::string short_path(const std::filesystem::path& path) {
  std::error_code failed;
  std::string here = std::filesystem::proximate(path, failed).string();
  here.insert(0, here.starts_with('-') ? "./" : "");  // else it would be a flag
  return failed || here.size() > path.string().size() ? path.string() : here;
}

std::string typed_path(const std::filesystem::path& path) {
  return word_of_sh(short_path(path));
}

std::string resume_command(const std::filesystem::path& directory) {
  return "tune run --resume " + typed_path(directory);
}

std::string repeating_command(const scenario::Scenario& scenario) {
  const trial::Script& script = scenario.workload.script;
  if (scenario.file.filename() != scenario::kStandardInput) {
    return "tune run " + typed_path(scenario.file);
  }
  return script.exists() ? "tune run -- " + report::command_line(script.command) : "tune run -";
}

report::Painter painter_of(const Terminal& terminal) {
  return [terminal](report::Paint paint, const std::string& line) {
    switch (paint) {
      case report::Paint::warning:
        return yellow(terminal, line);
      case report::Paint::good:
        return green(terminal, line);
      case report::Paint::quiet:
        return dim(terminal, line);
      case report::Paint::strong:
        break;
    }
    return bold(terminal, line);
  };
}

std::string answer(const report::Run& run, const Terminal& terminal, bool is_verbose) {
  return report::to_text(
             run,
             {.width = terminal.width, .painter = painter_of(terminal), .is_verbose = is_verbose}) +
         (run.directory == nullptr ? "" : next_step(run));
}

std::string answer_json(const CampaignResult& result) {
  const nlohmann::ordered_json whole = report::result_value(result);
  nlohmann::ordered_json json = {{"schema", whole.at("schema")},
                                 {"kind", whole.at("kind")},
                                 {"directory", result.directory.string()},
                                 {"complete", result.complete},
                                 {"summary", whole.at("summary")}};
  const result::Result record = report::result_of(result);
  if (report::seeks_launch_line(record)) {
    const std::string launch = report::launch_answer(record);
    const bool is_proven = report::is_proven(record);
    json["launch"] = {{"line", nullptr}, {"reason", nullptr}};
    json["launch"][is_proven ? "line" : "reason"] = launch;
  }
  return json_text(json, 2) + "\n";
}

}  // namespace tune::cli
