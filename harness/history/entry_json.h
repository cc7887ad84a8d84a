#pragma once

#include "history/entry.h"

#include <string>
#include <string_view>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::history {

/// Of an export: its first line is {"schema": "tune-history/1"}, every other line one entry.
constexpr std::string_view kExportSchema = "tune-history/1";

void fields_of(Fields& fields, Measure& measure);

/// All of it but its number in the store, which means nothing elsewhere.
void fields_of(Fields& fields, Entry& entry);

/// Entries as text, oldest first as given; every line ends.
std::string to_export(const std::vector<Entry>& entries);

/// Reads an export that nobody vouches for. Throws tune::Error "<where>:<line>: ..." for what is
/// damaged or of another schema.
std::vector<Entry> read_export(std::string_view text, const std::string& where);

}  // namespace tune::history
