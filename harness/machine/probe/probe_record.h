#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::probe {

/// One limit of this machine, or why it was not measured.
struct Number {
  std::string id;               ///< "memory_copy_rate"
  std::string label;            ///< what distinguishes it: "2 threads"; or ""
  std::string unit;             ///< "B/s", "FLOP/s", "s", "1/s", "us/KB", "us/kpx"
  std::optional<double> value;  ///< the median
  double noise = 0;    ///< half of the middle 50 % of the repetitions ÷ the median; for a fit the
                       ///< median error of its points
  std::int64_t n = 0;  ///< repetitions; for a fit, its points
  std::string reason;  ///< why there is no value; "" when there is
  bool operator==(const Number&) const = default;
};

/// Median and noise of samples in the number's unit.
Number of_samples(Number number, const std::vector<double>& samples);

Number not_measured(Number number, const std::string& reason);

/// How long measuring may take in total, and how thorough it is.
struct Effort {
  bool is_quick = false;         ///< fewer repetitions of less work: noisier
  std::int64_t deadline_ns = 0;  ///< CLOCK_MONOTONIC; nothing starts after it
};

/// "the probe ran out of time" after the deadline; "" before it.
std::string why_too_late(const Effort& effort);

constexpr std::string_view kProbeSchema = "tune-probe/1";

/// What one `tune probe` found.
struct ProbeRecord {
  std::string machine;    ///< gate::machine_id()
  std::string cpu_model;  ///< for people
  std::string utc, tune_version;
  bool is_quick = false;
  double seconds = 0;  ///< duration
  std::vector<Number> numbers;
  bool operator==(const ProbeRecord&) const = default;
};

void fields_of(Fields& fields, ProbeRecord& record);
std::string to_json(const ProbeRecord& record);

/// Throws tune::Error naming `where` when the text is not a probe of this schema.
ProbeRecord parse_probe(std::string_view text, const std::string& where);

/// The same for the output of a worker: only the numbers, under "numbers".
std::string numbers_to_json(const std::vector<Number>& numbers);
std::vector<Number> parse_numbers(std::string_view text, const std::string& where);

/// <data folder>/probes/<machine>.json.
std::filesystem::path probe_file(const std::filesystem::path& data_folder,
                                 const std::string& machine);

/// Nothing when there is none. Throws tune::Error when it is damaged, or from another machine.
std::optional<ProbeRecord> load_probe(const std::filesystem::path& data_folder,
                                      const std::string& machine);

/// Stores it and replaces an older one. An unreadable old one is kept under the returned name; ""
/// when there was none. Throws tune::Error.
std::filesystem::path store_probe(const std::filesystem::path& data_folder,
                                  const ProbeRecord& record);

/// The value of a number; nothing when it is missing or was not measured.
std::optional<double> value_of(const ProbeRecord& record,
                               std::string_view id,
                               std::string_view label);

}  // namespace tune::probe
