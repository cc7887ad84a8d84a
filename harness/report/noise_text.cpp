#include "report/noise_text.h"

#include "report/markup.h"
#include "report/number_text.h"
#include "report/run_facts.h"
#include "scenario/scenario.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

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

// " (not calibrated on this machine)", where the result says why.
std::string reason_text(const Result& result) {
  const std::string reason = result.method ? result.method->calibration_reason : "";
  return reason.empty() || reason == kNoiseNotAsked
             ? ""
             : " (" + shortened(reason, kLongestReason) + ")";
}

// One that was read from standard input, or made of a command, is in no file.
bool is_in_a_file(const Result& result) {
  return std::filesystem::path(result.scenario.file).filename() != scenario::kStandardInput;
}

// "tune calibrate needs a scenario in a file, as tune init -o FILE -- python train.py writes it"
std::string missing_file_text(const Result& result) {
  const std::vector<std::string>& typed = result.provenance.command;
  const auto end = std::find(typed.begin(), typed.end(), "--");
  std::string text = "tune calibrate needs a scenario in a file";
  if (end != typed.end()) {
    std::vector<std::string> words = {"tune", "init", "-o", "FILE"};
    words.insert(words.end(), end, typed.end());
    text += ", as " + shortened(command_line(words), kLongestReason) + " writes it";
  }
  return text;
}

// "tune calibrate scenarios/x.yaml would tell"
std::string how_to_know(const Result& result) {
  const std::string& file = result.scenario.file;
  const std::string command =
      command_line({"tune", "calibrate", file.empty() ? "FILE" : one_line(file)});
  return shortened(command, kLongestReason) + " would tell";
}

const Noise* known_noise(const Result& result) {
  return result.method && result.method->calibration ? &*result.method->calibration : nullptr;
}

}  // namespace

std::string equal_sides_text(const Result& result) {
  const Noise* const noise = known_noise(result);
  if (noise == nullptr) {
    const std::string how =
        is_in_a_file(result) ? how_to_know(result) + " how often this machine raises a false alarm"
                             : missing_file_text(result);
    return "The baseline against itself (A/A) was not measured" + reason_text(result) + ": " + how +
           ".";
  }
  return "The baseline against itself (A/A), " + calibrated(*noise) + ": " + alarms_text(*noise) +
         ". Two equal processes next to each other differ by " + share_text(noise->pair_sd) +
         " (robust standard deviation).";
}

std::string detectable_line(const Result& result) {
  constexpr const char* kName = "smallest detectable effect: ";
  const Noise* const noise = known_noise(result);
  if (noise == nullptr) {
    return std::string(kName) + "not known" + reason_text(result) + ": " +
           (is_in_a_file(result) ? how_to_know(result) : missing_file_text(result));
  }
  return kName + share_text(noise->mde) +
         ", a slowdown that 90 % of gates of this scenario find on this machine (" +
         calibrated(*noise) + ")";
}

}  // namespace tune::report
