#pragma once

#include "advice/recommendation.h"
#include "measure/campaign/campaign_result.h"
#include "trial/knob_catalog.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// The settings that a recommendation would change. Empty where it changes none, or where a value
/// is not known.
trial::KnobSettings change_of(const advice::Recommendation& recommendation);

/// How the campaign of a verification differs from that of the run, which was made with
/// `run_overrides`: baseline and change are its only cells, each once before the pairs, nothing is
/// recorded. How a trial measures stays as it was.
std::vector<std::string> verification_overrides(const std::vector<std::string>& run_overrides,
                                                const trial::KnobSettings& change);

/// Where the next verification of a run goes: verified/01-<rule>, 02-<rule>, ...
std::filesystem::path next_verification(const std::filesystem::path& run_directory,
                                        const std::string& rule);

/// The same of a change in the form in which a script is given it: applied/01-<id>, 02-<id>, ...
std::filesystem::path next_application(const std::filesystem::path& run_directory,
                                       const std::string& id);

/// All that a run directory holds, oldest first. One that cannot be read is a warning.
std::vector<Verification> read_verifications(const std::filesystem::path& run_directory,
                                             std::vector<std::string>& warnings);

/// The same of changes in the form in which a script is given them.
std::vector<Verification> read_applications(const std::filesystem::path& run_directory,
                                            std::vector<std::string>& warnings);

/// The newest of that change that has a verdict, else the newest; null when there is none.
const Verification* find_verification(const std::vector<Verification>& all,
                                      const trial::KnobSettings& change);

/// The newest verification of that change, where it is open: `tune verify` continues it; else null.
const Verification* open_verification(const std::vector<Verification>& all,
                                      const trial::KnobSettings& change);

/// How many of the recommendations `tune run --verify` wants measured, best first: 0 where it says
/// nothing or "none", and of a shard, whose run is joined with the others first.
std::size_t wanted_verifications(const scenario::Scenario& scenario);

/// The gain that a confirmation measured; nothing before its first look.
std::optional<advice::MeasuredGain> gain_with_verdict(const Confirmation& confirmation);

/// Gives each recommendation that has no measured gain the one of its verification, and the
/// constraints that it broke; one of a verification to a precision also where the run has measured
/// it: those pairs are fresh, and more. Says whether there was any of it: then they are to be
/// ranked again.
bool add_verified_gains(const std::vector<Verification>& all,
                        std::vector<advice::Recommendation>& recommendations);

}  // namespace tune::campaign
