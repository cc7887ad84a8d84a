#pragma once

#include <string>
#include <string_view>

namespace tune::report {

/// SHA-256 of a script in base64, as a content security policy names the one script that may run:
/// script-src 'sha256-<this>' (CSP Level 3, section 2.3.1).
std::string script_hash(std::string_view script);

}  // namespace tune::report
