#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tune::report {

/// The shell with each {{name}} replaced, once: what is put in is not searched again. Every
/// placeholder needs a value.
std::string fill_shell(std::string_view shell, const std::map<std::string, std::string>& values);

}  // namespace tune::report
