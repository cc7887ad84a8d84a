#pragma once

#include "base/error.h"
#include "scenario/scenario.h"

#include <string>

namespace tune::scenario {

/// A valid scenario; `replace` and `with` turn it into what a test needs.
inline std::string sample(const std::string& replace = "", const std::string& with = "") {
  std::string text =
      "tune: 1\n"
      "name: sample\n"
      "workload: {model: resnet18}\n"
      "data: {source: generated-jpeg}\n"
      "baseline: {batch_size: 32}\n"
      "grid:\n"
      "  num_workers: [0, 2]\n"
      "  amp: [none, bf16]\n"
      "forbid: []\n"
      "measure: {rounds: 3}\n"
      "search: {strategy: grid}\n";
  const std::size_t at = text.find(replace);
  return at == std::string::npos ? "the sample has no such text"
                                 : text.replace(at, replace.size(), with);
}

/// All that is wrong with a text, one complaint a line; "" when it is valid.
inline std::string complaints_about(const std::string& text) {
  try {
    read_scenario(text, "sample.yaml");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

inline std::string complaints_with(const std::string& replace, const std::string& with) {
  return complaints_about(sample(replace, with));
}

}  // namespace tune::scenario
