#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tune {

/// SHA-256 of the bytes as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

/// The same for a file of any size, read in blocks. Throws Error when it cannot be read, a
/// MachineError where the machine is at fault.
std::string sha256_file_hex(const std::filesystem::path& path);

}  // namespace tune
