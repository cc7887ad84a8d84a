#include "probe/probe_record.h"

#include "base/error.h"
#include "base/file.h"
#include "base/machine_error.h"
#include "machine/user_folders.h"
#include "trial/json_object.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace tune::probe {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using trial::JsonObject;

constexpr std::size_t kMostNumbers = 1'000;
constexpr std::size_t kLongestWord = 128;
constexpr double kMost = 1e18;

Json to_json(const Number& number) {
  Json json;
  json["id"] = number.id;
  json["label"] = number.label;
  json["unit"] = number.unit;
  const bool is_known = number.value && std::isfinite(*number.value);
  json["value"] = is_known ? Json(*number.value) : Json(nullptr);
  json["noise"] = std::isfinite(number.noise) ? number.noise : 0;
  json["n"] = number.n;
  json["reason"] = number.reason.empty() ? Json(nullptr) : Json(number.reason);
  return json;
}

Json list_of(const std::vector<Number>& numbers) {
  Json list = Json::array();
  for (const Number& number : numbers) {
    list.push_back(to_json(number));
  }
  return list;
}

std::vector<Number> read_numbers(JsonObject& object) {
  std::vector<Number> numbers;
  object.each("numbers", kMostNumbers, [&](JsonObject& entry) {
    Number number;
    number.id = entry.text("id", kLongestWord);
    number.label = entry.text("label", kLongestWord);
    number.unit = entry.text("unit", kLongestWord);
    if (!entry.is_null("value")) {
      number.value = entry.real("value", -kMost, kMost);
    }
    number.noise = entry.real("noise", 0, kMost);
    number.n = entry.whole("n", {0, 1'000'000'000});
    number.reason = entry.is_null("reason") ? "" : entry.text("reason");
    numbers.push_back(std::move(number));
  });
  return numbers;
}

std::string text_of(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
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

std::string to_json(const ProbeRecord& record) {
  Json json;
  json["schema"] = kProbeSchema;
  json["machine"] = record.machine;
  json["cpu_model"] = record.cpu_model;
  json["utc"] = record.utc;
  json["tune_version"] = record.tune_version;
  json["quick"] = record.is_quick;
  json["seconds"] = record.seconds;
  json["numbers"] = list_of(record.numbers);
  return text_of(json);
}

ProbeRecord parse_probe(std::string_view text, const std::string& where) {
  const nlohmann::json parsed = trial::parse_json(text, where);
  JsonObject object(parsed, where, "");
  const std::string schema = object.text("schema", 64);
  if (schema != kProbeSchema) {
    const std::string ours(kProbeSchema);
    trial::complain(where, "schema", "is '" + schema + "', this version of tune reads " + ours);
  }
  ProbeRecord record;
  record.machine = object.text("machine", 64);
  record.cpu_model = object.text("cpu_model");
  record.utc = object.text("utc", 64);
  record.tune_version = object.text("tune_version", 64);
  record.is_quick = object.flag("quick");
  record.seconds = object.real("seconds", 0, 1e9);
  record.numbers = read_numbers(object);
  return record;
}

std::string numbers_to_json(const std::vector<Number>& numbers) {
  Json json;
  json["numbers"] = list_of(numbers);
  return text_of(json);
}

std::vector<Number> parse_numbers(std::string_view text, const std::string& where) {
  const nlohmann::json parsed = trial::parse_json(text, where);
  JsonObject object(parsed, where, "");
  return read_numbers(object);
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
    throw Error({file.string(), "is of another machine", record.machine, "tune probe"});
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
      throw Error({file.string(), "is damaged and cannot be put aside", problem.message(), ""});
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
