#pragma once

#include <filesystem>
#include <string>

namespace tune::history {

/// <data folder>/history/history.sqlite; its write-ahead log, its lock and stores that were moved
/// aside lie beside it.
std::filesystem::path store_file(const std::filesystem::path& data_folder);

/// The file that is locked while a store is opened for writing.
std::filesystem::path lock_file(const std::filesystem::path& store);

/// A name beside the store that is not taken: history-<mark>-<UTC without its punctuation>.sqlite.
std::filesystem::path name_aside(const std::filesystem::path& store,
                                 const std::string& mark,
                                 const std::string& utc);

/// Renames the store, with its write-ahead log, to such a name, and says which. Throws tune::Error
/// when that cannot be done: nothing has changed then but, at worst, the name of the log.
std::filesystem::path move_aside(const std::filesystem::path& store,
                                 const std::string& mark,
                                 const std::string& utc);

}  // namespace tune::history
