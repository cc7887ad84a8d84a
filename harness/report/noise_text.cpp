#include "report/noise_text.h"

#include "report/markup.h"
#include "report/number_text.h"
#include "report/run_facts.h"

#include <cstddef>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::KnownNoise;

constexpr std::size_t kLongestReason = 300;

std::string alarms_text(const KnownNoise& noise) {
  if (noise.verdicts == 0) {
    return "they are too few for a verdict on false alarms";
  }
  return std::to_string(noise.alarms) + " of " + counted(noise.verdicts, "gate") +
         " on equal sides called one of them worse (at most " +
         share_text(noise.most_alarms_ratio) + " of them do, 95 % sure)";
}

std::string calibrated(const KnownNoise& noise) {
  return "calibrated " + one_line(noise.utc) + " with " + grouped(noise.launches) +
         " equal processes";
}

// " (not calibrated on this machine): tune calibrate scenarios/x.yaml would tell"
std::string how_to_know(const CampaignResult& result) {
  const std::string file = result.scenario.file.string();
  const std::string command =
      command_line({"tune", "calibrate", file.empty() ? "FILE" : one_line(file)});
  const std::string why = result.noise_reason.empty()
                              ? ""
                              : " (" + shortened(result.noise_reason, kLongestReason) + ")";
  return why + ": " + shortened(command, kLongestReason) + " would tell";
}

}  // namespace

std::string equal_sides_text(const CampaignResult& result) {
  if (!result.noise) {
    return "The baseline against itself (A/A) was not measured" + how_to_know(result) +
           " how often this machine raises a false alarm.";
  }
  const KnownNoise& noise = *result.noise;
  return "The baseline against itself (A/A), " + calibrated(noise) + ": " + alarms_text(noise) +
         ". Two equal processes next to each other differ by " + share_text(noise.pair_ratio) +
         " (robust standard deviation).";
}

std::string detectable_line(const CampaignResult& result) {
  constexpr const char* kName = "smallest detectable effect: ";
  if (!result.noise) {
    return std::string(kName) + "not known" + how_to_know(result);
  }
  return kName + share_text(result.noise->detectable_ratio) +
         ", a slowdown that 90 % of gates of this scenario find on this machine (" +
         calibrated(*result.noise) + ")";
}

}  // namespace tune::report
