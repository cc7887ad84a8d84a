#include "machine/probe/probe_record.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/stats/quantile.h"
#include "machine/user_folders.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace tune::probe {

Number of_samples(Number number, const std::vector<double>& samples) {
  if (samples.empty()) {
    number.reason = "no repetition finished";
    return number;
  }
  const double middle = stats::median(samples);
  const double spread = stats::quantile(samples, 0.75) - stats::quantile(samples, 0.25);
  number.value = middle;
  number.noise = middle > 0 ? spread / 2 / middle : 0;
  number.n = static_cast<std::int64_t>(samples.size());
  return number;
}

Number not_measured(Number number, const std::string& reason) {
  number.reason = reason;
  return number;
}

std::string why_too_late(const Effort& effort) {
  return monotonic_ns() < effort.deadline_ns ? "" : "the probe ran out of time";
}

namespace {

namespace fs = std::filesystem;
void number_of(Fields& fields, Number& number) {
  constexpr std::size_t kLongestWord = 128;
  constexpr double kMost = 1e18;
  fields.text("id", number.id, kLongestWord);
  fields.text("label", number.label, kLongestWord);
  fields.text("unit", number.unit, kLongestWord);
  fields.real("value", number.value, -kMost, kMost);
  double noise = std::isfinite(number.noise) ? number.noise : 0;
  fields.real("noise", noise, 0, kMost);
  if (fields.reads()) {
    number.noise = noise;
  }
  fields.whole("n", number.n, {0, 1'000'000'000});
  fields.text_or_null("reason", number.reason);
}

void numbers_of(Fields& fields, std::vector<Number>& numbers) {
  fields.list("numbers", numbers, 1'000, number_of);
}

// "<name>.damaged.json", "<name>.damaged-2.json", ...
fs::path place_for_damaged(const fs::path& file) {
  for (int i = 1;; ++i) {
    fs::path place = file;
    const std::string number = i == 1 ? "" : "-" + std::to_string(i);
    place.replace_extension(".damaged" + number + ".json");
    std::error_code ignored;
    if (!fs::exists(place, ignored)) {
      return place;
    }
  }
}

}  // namespace

void fields_of(Fields& fields, ProbeRecord& record) {
  fields.schema(kProbeSchema);
  fields.text("machine", record.machine, 64);
  fields.text("cpu_model", record.cpu_model);
  fields.text("utc", record.utc, 64);
  fields.text("tune_version", record.tune_version, 64);
  fields.flag("quick", record.is_quick);
  fields.real("seconds", record.seconds, 0, 1e9);
  numbers_of(fields, record.numbers);
}

std::string to_json(const ProbeRecord& record) {
  return json_text(to_value(record), 1) + "\n";
}

ProbeRecord parse_probe(std::string_view text, const std::string& where) {
  return parse_record<ProbeRecord>(text, where);
}

std::string numbers_to_json(const std::vector<Number>& numbers) {
  return json_text(to_value(numbers, numbers_of), 1) + "\n";
}

std::vector<Number> parse_numbers(std::string_view text, const std::string& where) {
  std::vector<Number> numbers;
  read_fields(text, where, [&](Fields& fields) { numbers_of(fields, numbers); });
  return numbers;
}

fs::path probe_file(const fs::path& data_folder, const std::string& machine) {
  return data_folder / "probes" / (machine + ".json");
}

std::optional<ProbeRecord> load_probe(const fs::path& data_folder, const std::string& machine) {
  const fs::path file = probe_file(data_folder, machine);
  if (type_of_kept(file) == fs::file_type::not_found) {
    return std::nullopt;
  }
  ProbeRecord record = parse_probe(read_kept_file(file), file.string());
  if (record.machine != machine) {
    throw Error({file.string(), "is from another machine", record.machine, "tune probe"});
  }
  return record;
}

fs::path store_probe(const fs::path& data_folder, const ProbeRecord& record) {
  const fs::path file = probe_file(data_folder, record.machine);
  machine::make_private_folder(file.parent_path());
  fs::path kept;
  try {
    (void)load_probe(data_folder, record.machine);
  } catch (const MachineError&) {
    throw;
  } catch (const Error&) {
    kept = place_for_damaged(file);
    std::error_code problem;
    fs::rename(file, kept, problem);
    if (problem) {
      throw Error({file.string(), "is damaged and cannot be moved aside", problem.message(), ""});
    }
  }
  write_file_synced(file, to_json(record));
  return kept;
}

std::optional<double> value_of(const ProbeRecord& record,
                               std::string_view id,
                               std::string_view label) {
  for (const Number& number : record.numbers) {
    if (number.id == id && number.label == label) {
      return number.value;
    }
  }
  return std::nullopt;
}

}  // namespace tune::probe
