#include "cli/present_run.h"

#include "base/error.h"
#include "cli/answer.h"
#include "cli/ask_rules.h"
#include "cli/keep_history.h"
#include "cli/output_wish.h"
#include "cli/run_profiles.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/summarise.h"
#include "report/result_of.h"
#include "report/run_pages.h"
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
  const result::Result record = report::result_of(result);
  const report::Run run{record, &result};
  append_step_summary(shown.outputs.step_summary,
                      [&](std::size_t room_bytes) { return report::to_markdown(run, room_bytes); });
  write_wished(shown.outputs, result::read_result(to_json(record), "result.json"), directory);
  shown.before_answer();
  std::cout << (shown.as_json ? answer_json(result)
                              : answer(run, look_at(STDOUT_FILENO, shown.color), shown.is_verbose))
            << std::flush;
  return shown.is_joined_now ? ExitCode::fine : campaign::exit_code(result);
}

}  // namespace

// The trials are on disk whatever happens here: a report that cannot be written is not wrong input.
ExitCode present_saved(const std::filesystem::path& directory, const RunShown& shown) {
  try {
    return present(directory, shown);
  } catch (const Error& error) {
    std::cerr << "the run is saved, but its report could not be made: " << error.what()
              << "\nwhen that is mended: tune report " << typed_path(directory) << "\n";
    return ExitCode::partial;
  }
}

}  // namespace tune::cli
