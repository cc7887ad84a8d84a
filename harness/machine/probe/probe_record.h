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
  std::string label;            ///< what else tells it apart: "2 threads"; or ""
  std::string unit;             ///< "B/s", "FLOP/s", "s", "1/s", "us/KB", "us/kpx"
  std::optional<double> value;  ///< the median
  double noise = 0;    ///< half of the middle 50 % of the repetitions ÷ the median; of a fit the
                       ///< median error of its points
  std::int64_t n = 0;  ///< repetitions; of a fit its points
  std::string reason;  ///< why there is no value; "" when there is
  bool operator==(const Number&) const = default;
};

/// Median and noise of samples in the number's unit.
Number of_samples(Number number, const std::vector<double>& samples);

Number not_measured(Number number, const std::string& reason);

/// How long measuring may take in all, and how much of it.
struct Effort {
  bool is_quick = false;         ///< fewer repetitions of less work: noisier
  std::int64_t deadline_ns = 0;  ///< CLOCK_MONOTONIC; what would begin later is not measured
};

/// "the time for the probe was over" behind the deadline; "" before it.
std::string why_too_late(const Effort& effort);

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

void fields_of(Fields& fields, ProbeRecord& record);
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
