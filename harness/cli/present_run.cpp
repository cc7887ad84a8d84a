#include "cli/present_run.h"

#include "base/error.h"
#include "campaign/load_campaign.h"
#include "campaign/summarise.h"
#include "cli/answer.h"
#include "cli/keep_history.h"
#include "cli/probe_facts.h"
#include "cli/run_profiles.h"
#include "cli/run_rules.h"
#include "cli/step_summary.h"
#include "report/markdown.h"
#include "report/result_json.h"
#include "report/write_reports.h"

#include <cstddef>
#include <iostream>
#include <unistd.h>

namespace tune::cli {

campaign::CampaignResult write_run_reports(const std::filesystem::path& directory,
                                           const std::string& rules) {
  campaign::CampaignResult result = campaign::load_campaign(directory);
  read_profiles(result);
  keep_probe(result);
  keep_history(result);
  ask_rules(result, rules);  // of earlier runs too
  report::write_reports(result);
  note_in_history(result.directory);
  return result;
}

namespace {

// Reports first, then what a person reads; the result is what the files say.
ExitCode present(const std::filesystem::path& directory, const RunShown& shown) {
  const campaign::CampaignResult result = write_run_reports(directory, shown.rules);
  append_step_summary(shown.outputs.step_summary, [&](std::size_t room_bytes) {
    return report::to_markdown(result, room_bytes);
  });
  write_wished(
      shown.outputs, result::read_result(report::to_result_json(result), "result.json"), directory);
  shown.before_answer();
  std::cout << (shown.as_json ? answer_json(result)
                              : answer(result, look_at(STDOUT_FILENO, shown.color)))
            << std::flush;
  return shown.is_joined_now ? ExitCode::fine : campaign::exit_code(result);
}

}  // namespace

// The trials are on disk whatever happens here: a report that cannot be written is no wrong input.
ExitCode present_saved(const std::filesystem::path& directory, const RunShown& shown) {
  try {
    return present(directory, shown);
  } catch (const Error& error) {
    std::cerr << "the run is saved, but its report could not be made: " << error.what()
              << "\nwhen that is mended: tune report " << quoted(directory) << "\n";
    return ExitCode::partial;
  }
}

}  // namespace tune::cli
