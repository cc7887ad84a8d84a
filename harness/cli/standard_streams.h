#pragma once

namespace tune::cli {

/// Called first: a standard stream that is closed (`tune ... >&-`) would give its number to the
/// next file that is opened, and answers or messages would go into a ledger. Input that is closed
/// reads as empty; output that is closed refuses to be written, so that it is noticed.
void hold_standard_streams();

}  // namespace tune::cli
