#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <string>

namespace tune::cli {

// What `tune list` shows besides the catalogues of knobs and workloads: a list of objects, all with
// the same members, each a text, a number or null.

/// {file, name, description, problem}: the scenarios below a folder, by path; a file that is no
/// valid scenario has a problem. Throws tune::Error when there is no such folder.
nlohmann::ordered_json scenario_listing(const std::filesystem::path& folder);

/// {metric, unit, of, what}: what gates judge, what traces give, what is read of the machine during
/// a trial.
nlohmann::ordered_json metric_listing();

/// {profile, mean_bytes, what}: kinds of images that are made.
nlohmann::ordered_json profile_listing();

/// Rows under a heading, in columns; nothing is cut: the last text of a row continues below itself
/// where it is wider than `width` columns.
std::string listing_table(const nlohmann::ordered_json& list, std::size_t width);

/// --plain: tab-separated, without a heading.
std::string listing_rows(const nlohmann::ordered_json& list);

}  // namespace tune::cli
