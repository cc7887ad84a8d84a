#include "measure/campaign/verification.h"

#include "base/error.h"
#include "base/file.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/objective.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/summarise.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

namespace tune::campaign {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "verified";
constexpr const char* kApplied = "applied";

// What belongs to the search of the run, not to how a trial measures.
bool is_of_the_search(const std::string& assignment) {
  static constexpr std::array<std::string_view, 12> kKeys = {"budget",
                                                             "confirm",
                                                             "exhaustive",
                                                             "grid",
                                                             "only",
                                                             "profile",
                                                             "rounds",
                                                             "seed",
                                                             "shard",
                                                             "strategy",
                                                             "until",
                                                             "verify"};
  const std::string key = assignment.substr(0, assignment.find('='));
  return key.starts_with("grid.") || std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

std::string two_digits(std::size_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

// Between two looks: those that were taken decided nothing.
bool waits_for_a_look(const std::optional<Confirmation>& confirmation) {
  return confirmation && !confirmation->looks.empty() &&
         confirmation->wanted > confirmation->looks.back().pairs;
}

// Baseline and change are the only cells of a verification.
const CellResult* changed_cell(const CampaignResult& result) {
  return result.cells.size() > 1 ? &result.cells[1] : nullptr;
}

std::string why_without_verdict(const CampaignResult& result) {
  if (result.baseline_failed) {
    return result.incomplete_reason;
  }
  const CellResult* const cell = changed_cell(result);
  if (cell != nullptr && cell->outcome != "completed" && cell->outcome != "not-run") {
    return "the setting failed: " + cell->reason;
  }
  if (cell != nullptr && !cell->broken_constraints.empty()) {
    return "the setting " + constraint_text(cell->broken_constraints);
  }
  return result.incomplete_reason.empty() ? "no pair was measured" : result.incomplete_reason;
}

Verification read_verification(const fs::path& directory) {
  const CampaignResult result = summarise(read_recorded_run(directory));
  Verification found{.directory = result.directory,
                     .until = result.scenario.confirm_until,
                     .elapsed_ns = result.elapsed_ns};
  if (!result.confirmations.empty()) {  // whether it may be recommended or not
    found.confirmation = result.confirmations.front();
  }
  if (const CellResult* const cell = changed_cell(result)) {
    found.broken_constraints = cell->broken_constraints;
  }
  for (const auto& [knob, axis] : result.scenario.grid) {
    if (!axis.empty()) {
      found.change.emplace(knob, axis.front());
    }
  }
  found.is_open = result.trials_missing > 0 || waits_for_a_look(found.confirmation);
  if (!found.confirmation || !gain_with_verdict(*found.confirmation)) {
    found.reason = why_without_verdict(result);
  }
  return found;
}

fs::path next_in(const fs::path& folder, const std::string& name) {
  std::size_t number = 1;
  for (const fs::path& entry : kept_entries(folder)) {
    const std::string other = entry.filename().string();
    const std::size_t digits = std::min(other.find_first_not_of("0123456789"), other.size());
    if (digits > 0 && digits < 9) {
      number = std::max(number, static_cast<std::size_t>(std::stoul(other.substr(0, digits))) + 1);
    }
  }
  return folder / (two_digits(number) + "-" + name);
}

std::vector<Verification> read_all(const fs::path& folder, std::vector<std::string>& warnings) {
  std::vector<fs::path> folders = kept_entries(folder);
  std::erase_if(folders, [](const fs::path& each) {  // it had not begun
    return type_of_kept(ledger_file(each)) == fs::file_type::not_found;
  });
  std::vector<Verification> all;
  all.reserve(folders.size());
  for (const fs::path& each : folders) {
    try {
      all.push_back(read_verification(each));
    } catch (const MachineError&) {
      throw;
    } catch (const Error& error) {
      warnings.push_back(std::string("a verification cannot be read: ") + error.what());
    }
  }
  return all;
}

}  // namespace

trial::KnobSettings change_of(const advice::Recommendation& recommendation) {
  trial::KnobSettings change;
  for (const advice::ProposedKnob& knob : recommendation.knobs) {
    if (!knob.to) {
      return {};
    }
    change[knob.name] = *knob.to;
  }
  return change;
}

std::vector<std::string> verification_overrides(const std::vector<std::string>& run_overrides,
                                                const trial::KnobSettings& change) {
  std::vector<std::string> overrides;
  std::remove_copy_if(
      run_overrides.begin(), run_overrides.end(), std::back_inserter(overrides), is_of_the_search);
  overrides.emplace_back("grid=none");
  for (const auto& [knob, value] : change) {
    std::string axis = "grid.";
    axis += knob;
    axis += "=";
    axis += trial::to_text(value);
    overrides.push_back(std::move(axis));
  }
  for (const char* const policy : {"strategy=grid", "rounds=1", "confirm=1", "profile=none"}) {
    overrides.emplace_back(policy);
  }
  return overrides;
}

fs::path next_verification(const fs::path& run_directory, const std::string& rule) {
  return next_in(run_directory / kFolder, rule);
}

fs::path next_application(const fs::path& run_directory, const std::string& id) {
  return next_in(run_directory / kApplied, id);
}

std::vector<Verification> read_verifications(const fs::path& run_directory,
                                             std::vector<std::string>& warnings) {
  return read_all(run_directory / kFolder, warnings);
}

std::vector<Verification> read_applications(const fs::path& run_directory,
                                            std::vector<std::string>& warnings) {
  return read_all(run_directory / kApplied, warnings);
}

const Verification* find_verification(const std::vector<Verification>& all,
                                      const trial::KnobSettings& change) {
  const Verification* newest = nullptr;
  const Verification* judged = nullptr;
  for (const Verification& verification : all) {
    if (change.empty() || verification.change != change) {
      continue;
    }
    newest = &verification;
    if (verification.confirmation && gain_with_verdict(*verification.confirmation)) {
      judged = newest;
    }
  }
  return judged != nullptr ? judged : newest;
}

const Verification* open_verification(const std::vector<Verification>& all,
                                      const trial::KnobSettings& change) {
  const auto newest = std::find_if(all.rbegin(), all.rend(), [&](const Verification& each) {
    return !change.empty() && each.change == change;
  });
  return newest != all.rend() && newest->is_open ? &*newest : nullptr;
}

std::size_t wanted_verifications(const scenario::Scenario& scenario) {
  constexpr std::string_view kTop = "top:";
  const std::string_view word = scenario.shard ? "none" : std::string_view(scenario.verify);
  if (!word.starts_with(kTop)) {
    return word == "all" ? std::numeric_limits<std::size_t>::max() : 0;
  }
  std::size_t count = 0;
  std::from_chars(word.data() + kTop.size(), word.data() + word.size(), count);
  return count;
}

std::optional<advice::MeasuredGain> gain_with_verdict(const Confirmation& confirmation) {
  using Verdict = advice::MeasuredGain::Verdict;
  if (confirmation.pairs == 0 || !confirmation.gain.lower || !confirmation.gain.upper ||
      confirmation.verdict.empty()) {
    return std::nullopt;
  }
  return advice::MeasuredGain{.value = confirmation.gain.value.value_or(0),
                              .lower = *confirmation.gain.lower,
                              .upper = *confirmation.gain.upper,
                              .pairs = confirmation.pairs,
                              .verdict = confirmation.verdict == "confirmed" ? Verdict::confirmed
                                         : confirmation.verdict == "refuted" ? Verdict::refuted
                                                                             : Verdict::ambiguous,
                              .before = confirmation.baseline.value.value_or(0),
                              .after = confirmation.best.value.value_or(0),
                              .attribution = confirmation.attribution};
}

bool add_verified_gains(const std::vector<Verification>& all,
                        std::vector<advice::Recommendation>& recommendations) {
  bool has_changed = false;
  for (advice::Recommendation& recommendation : recommendations) {
    const Verification* const verification = find_verification(all, change_of(recommendation));
    if (verification == nullptr || (recommendation.measured && !verification->until)) {
      continue;
    }
    auto gain =
        verification->confirmation ? gain_with_verdict(*verification->confirmation) : std::nullopt;
    has_changed = has_changed || gain || !verification->broken_constraints.empty();
    if (gain) {
      recommendation.measured = gain;
    }
    advice::note_broken_constraints(recommendation, verification->broken_constraints);
  }
  return has_changed;
}

}  // namespace tune::campaign
