#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tune::revision {

/// Path, relative to the tree where it lies there -> SHA-256.
using Artefacts = std::vector<std::pair<std::string, std::string>>;

/// The files that decide what is measured beside the scenario's own words, sorted by path: those of
/// `paths` (absolute, or relative to `folder`, which lies in the tree) that are there, folders of
/// the tree with all that is in them; and of a tree that was built every shared library in it,
/// since a plug-in may load more than the one that the scenario names. Throws tune::Error when one
/// cannot be read.
Artefacts find_artefacts(const std::filesystem::path& tree,
                         const std::filesystem::path& folder,
                         const std::vector<std::string>& paths,
                         bool is_built);

}  // namespace tune::revision
