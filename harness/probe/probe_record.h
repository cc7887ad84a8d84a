#pragma once

#include "probe/number.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::probe {

constexpr std::string_view kProbeSchema = "tune-probe/1";

/// What one `tune probe` found.
struct ProbeRecord {
  std::string machine;    ///< gate::machine_id()
  std::string cpu_model;  ///< for people
  std::string utc, tune_version;
  bool is_quick = false;
  double seconds = 0;  ///< that it took
  std::vector<Number> numbers;
  bool operator==(const ProbeRecord&) const = default;
};

std::string to_json(const ProbeRecord& record);

/// Throws tune::Error naming `where` when the text is no probe of this schema.
ProbeRecord parse_probe(std::string_view text, const std::string& where);

/// The same of what a worker writes: the numbers alone, under "numbers".
std::string numbers_to_json(const std::vector<Number>& numbers);
std::vector<Number> parse_numbers(std::string_view text, const std::string& where);

/// <data folder>/probes/<machine>.json.
std::filesystem::path probe_file(const std::filesystem::path& data_folder,
                                 const std::string& machine);

/// Nothing where there is none. Throws tune::Error when it is damaged, or of another machine.
std::optional<ProbeRecord> load_probe(const std::filesystem::path& data_folder,
                                      const std::string& machine);

/// Stores it in place of an older one. One that cannot be read is kept beside it, under the name
/// that is returned; "" when there was none of those. Throws tune::Error.
std::filesystem::path store_probe(const std::filesystem::path& data_folder,
                                  const ProbeRecord& record);

/// The value of a number; nothing when it is not there or was not measured.
std::optional<double> value_of(const ProbeRecord& record,
                               std::string_view id,
                               std::string_view label);

}  // namespace tune::probe
