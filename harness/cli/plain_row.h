#pragma once

#include <string>
#include <vector>

namespace tune::cli {

/// A line of --plain: the cells with a tab between them, for cut, awk and while read. Tabs, line
/// ends and other control characters in a cell become spaces; nothing is cut off or padded.
std::string plain_row(const std::vector<std::string>& cells);

}  // namespace tune::cli
