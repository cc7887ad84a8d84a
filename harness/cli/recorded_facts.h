#pragma once

#include "advice/rule/fact_table.h"

#include <filesystem>

namespace tune::cli {

/// What can be evaluated again of something that was recorded: a folder with the result.json of
/// `tune analyze` or `tune run` (its baseline: metrics, knobs, machine), such a result.json, or a
/// trace. Throws tune::Error when it is none of them.
rule::FactTable recorded_facts(const std::filesystem::path& path);

}  // namespace tune::cli
