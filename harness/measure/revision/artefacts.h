#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tune::revision {

/// Path -> SHA-256; the path is relative to the tree where the file is in it.
using Artefacts = std::vector<std::pair<std::string, std::string>>;

/// The files that decide what is measured besides the scenario's own words, sorted by path: those
/// of `paths` (absolute, or relative to `folder`, which is in the tree) that exist, folders of the
/// tree with everything in them; and every shared library of a tree that was built, since a plug-in
/// may load more than the one that the scenario names. Throws tune::Error when one cannot be read.
Artefacts find_artefacts(const std::filesystem::path& tree,
                         const std::filesystem::path& folder,
                         const std::vector<std::string>& paths,
                         bool is_built);

}  // namespace tune::revision
