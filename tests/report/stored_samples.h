#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tune::report {

/// The sample run (sample_result.h) as result.json, with three recommendations: R1 confirmed, R2
/// predicted only, R3 refuted.
nlohmann::json run_document();

/// The sample gate (sample_gate.h) as result.json; its scenario has a gate in line 18.
nlohmann::json gate_document(const std::string& verdict = "REGRESSED");

result::Result stored(const nlohmann::json& document);

/// What is hard to render, by name: hostile texts, labels of 10,000 characters, right-to-left text,
/// numbers that are none or huge, no samples, no cells, one cell, nothing but failures, members
/// that are missing or of another type; runs and gates.
std::vector<std::pair<std::string, nlohmann::json>> difficult_documents();

}  // namespace tune::report
