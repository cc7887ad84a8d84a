#pragma once

#include <string>

namespace tune::report {

/// A number in its unit as people read it: "ratio" is a percentage, "B" and "B/s" count in powers
/// of 1024, "Hz" in MHz, "s" from us on, "1/s" reads "1800/s" and from 10,000 on "380.1 k/s",
/// "CPUs" and "count" need no word, less than a joule is in mJ; other units get k, M, G or T before
/// them: "50.0 GFLOP/s".
std::string quantity_text(double value, const std::string& unit);

}  // namespace tune::report
