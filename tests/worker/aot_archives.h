#pragma once

#include <string>

namespace tune::worker {

/// Packages as AOTInductor writes them, around the library of plugins/small_package.cpp, and some
/// that are none or not for this worker.
void write_packages(const std::string& folder);

}  // namespace tune::worker
