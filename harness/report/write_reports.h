#pragma once

#include "report/run_sections.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::report {

enum class Format { json, markdown, html };

/// One format as text.
std::string render(const Run& run, Format format);

/// Writes result.json, report.html and report.md into the run directory, each in one step, and
/// says where. Throws tune::Error when one cannot be written.
std::vector<std::filesystem::path> write_reports(const campaign::CampaignResult& result);

}  // namespace tune::report
