#pragma once

#include "measure/history/entry.h"
#include "measure/history/open_database.h"
#include "measure/history/store.h"

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tune::history {

/// The start of the n-th run: one a minute, at most 1,440.
inline std::string sample_start(int number) {
  char text[32];
  std::snprintf(text, sizeof text, "2026-01-01T%02d:%02d:00Z", number / 60 % 24, number % 60);
  return text;
}

inline Measure sample_measure(std::string name, double value, std::string unit = "samples/s") {
  Measure measure;
  measure.name = std::move(name);
  measure.unit = std::move(unit);
  measure.value = value;
  measure.lower = value * 0.99;
  measure.upper = value * 1.01;
  measure.n = 6;
  return measure;
}

inline advice::JudgedPrediction sample_prediction(std::string rule) {
  advice::JudgedPrediction prediction;
  prediction.recommendation = "R1";
  prediction.rule = std::move(rule);
  prediction.model = "amdahl";
  prediction.lower = 0.1;
  prediction.upper = 0.3;
  prediction.measured.value = 0.15;
  prediction.measured.lower = 0.12;
  prediction.measured.upper = 0.18;
  prediction.measured.pairs = 6;
  prediction.measured.verdict = advice::MeasuredGain::Verdict::confirmed;
  return prediction;
}

/// The n-th run of the scenario "mlp".
inline Entry sample_entry(int number, double rate = 100) {
  Entry entry;
  entry.kind = "run";
  entry.scenario = "mlp";
  entry.machine = "2 CPUs Some CPU";
  entry.subject = "ab";
  entry.started_utc = sample_start(number);
  entry.elapsed_s = 12.5;
  entry.directory = "/runs/" + std::to_string(number);
  entry.setting = "amp=bf16";
  entry.verdict = "faster";
  entry.headline = "amp=bf16 is faster";
  entry.tune_version = "0.1.0";
  entry.commit = "0123456789ab";
  entry.torch_version = "2.11.0";
  entry.worker_sha256 = "cd";
  entry.measures = {sample_measure("throughput", rate), sample_measure("gain", 0.2, "ratio")};
  entry.key = entry_key(entry);
  return entry;
}

inline StoreOpening opening_in(const std::filesystem::path& folder) {
  return {.data_folder = folder, .utc = "2026-11-22T10:11:12Z"};
}

/// A store with so many runs, closed again.
inline void fill_store(const std::filesystem::path& folder, int runs) {
  std::vector<Entry> entries;
  for (int i = 0; i < runs; ++i) {
    entries.push_back(sample_entry(i));
  }
  Store::open_to_write(opening_in(folder)).add(entries);
}

}  // namespace tune::history
