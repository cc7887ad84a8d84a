#include "report/noise_text.h"

#include "report/markup.h"
#include "report/number_text.h"
#include "report/run_facts.h"

#include <cstddef>

namespace tune::report {

namespace {

using result::Noise;
using result::Result;

constexpr std::size_t kLongestReason = 300;

std::string alarms_text(const Noise& noise) {
  if (noise.verdicts == 0) {
    return "they are too few for a verdict on false alarms";
  }
  return std::to_string(noise.alarms) + " of " + counted(noise.verdicts, "gate") +
         " on equal sides called one of them worse (at most " + share_text(noise.alarm_bound) +
         " of them do, 95 % sure)";
}

std::string calibrated(const Noise& noise) {
  return "calibrated " + one_line(noise.utc) + " with " + grouped(noise.launches) +
         " equal processes";
}

// " (not calibrated on this machine): tune calibrate scenarios/x.yaml would tell"
std::string how_to_know(const Result& result) {
  const std::string& file = result.scenario.file;
  const std::string command =
      command_line({"tune", "calibrate", file.empty() ? "FILE" : one_line(file)});
  const std::string reason = result.method ? result.method->calibration_reason : "";
  const std::string why = reason.empty() || reason == kNoiseNotAsked
                              ? ""
                              : " (" + shortened(reason, kLongestReason) + ")";
  return why + ": " + shortened(command, kLongestReason) + " would tell";
}

const Noise* known_noise(const Result& result) {
  return result.method && result.method->calibration ? &*result.method->calibration : nullptr;
}

}  // namespace

std::string equal_sides_text(const Result& result) {
  const Noise* const noise = known_noise(result);
  if (noise == nullptr) {
    return "The baseline against itself (A/A) was not measured" + how_to_know(result) +
           " how often this machine raises a false alarm.";
  }
  return "The baseline against itself (A/A), " + calibrated(*noise) + ": " + alarms_text(*noise) +
         ". Two equal processes next to each other differ by " + share_text(noise->pair_sd) +
         " (robust standard deviation).";
}

std::string detectable_line(const Result& result) {
  constexpr const char* kName = "smallest detectable effect: ";
  const Noise* const noise = known_noise(result);
  if (noise == nullptr) {
    return std::string(kName) + "not known" + how_to_know(result);
  }
  return kName + share_text(noise->mde) +
         ", a slowdown that 90 % of gates of this scenario find on this machine (" +
         calibrated(*noise) + ")";
}

}  // namespace tune::report
