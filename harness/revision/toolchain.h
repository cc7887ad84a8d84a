#pragma once

#include <atomic>
#include <filesystem>
#include <string>

namespace tune::revision {

/// What compilers, build tools and variables of the environment a build here would use, as text:
/// where it is equal, a commit is built to the same. Programs are asked for their version in
/// `folder`.
std::string describe_toolchain(const std::filesystem::path& folder, const std::atomic<int>* stop);

}  // namespace tune::revision
