#pragma once

#include "profile/critical_path.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tune::cli {

/// Adds --what-if 'PART[ NAME]=FACTOR', which may be given several times.
void add_what_if_option(CLI::App& command, std::vector<std::string>& texts);

/// "kernel gemm=0.5": edges of the part whose row's name holds the text weigh half. FACTOR is 0 to
/// 1000. Throws tune::Error when a text is not understood.
std::vector<profile::WhatIf> parse_what_if(const std::vector<std::string>& texts);

}  // namespace tune::cli
