#pragma once

#include <filesystem>

namespace SQLite {
class Exception;
}  // namespace SQLite

namespace tune::history {

/// The file is not a store, or part of it cannot be read: what is in it may be lost.
bool is_damage(const SQLite::Exception& error);

/// The file cannot be reached or written this way, another one may do: no permission, a file system
/// that is read-only.
bool is_no_access(const SQLite::Exception& error);

/// Throws tune::Error: "<file>: <problem> (<what SQLite says, in our words>) <what to do>?";
/// MachineError where the same call may do another time.
[[noreturn]] void complain(const std::filesystem::path& file,
                           const char* problem,
                           const SQLite::Exception& error);

}  // namespace tune::history
