#include "readers.h"

#include "../measure/campaign/test_folder.h"
#include "base/error.h"
#include "cli/slurm_state.h"
#include "machine/probe/probe_record.h"
#include "machine/telemetry/telemetry_json.h"
#include "measure/campaign/ledger_record.h"
#include "measure/gate/calibration.h"
#include "measure/gate/recorded_gate.h"
#include "measure/gate/stored_baseline.h"
#include "measure/history/entry.h"
#include "measure/history/read_entry.h"
#include "measure/history/series.h"
#include "measure/runner/phases.h"
#include "result/result.h"
#include "scenario/plan.h"
#include "scenario/scenario.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "trial/worker_description.h"
#include "worker/script/read_notes.h"
#include "worker/script/script_facts.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <utility>

namespace tune::fuzz {

namespace {

namespace fs = std::filesystem;

constexpr const char* kWhere = "bytes";

[[noreturn]] void not_kept(const std::string& what) {
  throw std::logic_error(what);
}

// The result of `read`; nothing when it refuses with a sentence that begins with `where`.
template <class Read>
auto read_or_refused(Read read, const std::string& where = kWhere) {
  std::optional<decltype(read())> result;
  try {
    result = read();
  } catch (const Error& error) {
    if (!std::string_view(error.what()).starts_with(where + ":")) {
      not_kept(std::string("a complaint without its place: ") + error.what());
    }
  }
  return result;
}

// What was read is written, read and written again: the same.
template <class Parse, class Write>
bool goes_round(std::string_view bytes,
                Parse parse,
                Write write,
                const std::string& complaints_begin = kWhere) {
  const auto first = read_or_refused([&] { return parse(bytes, kWhere); }, complaints_begin);
  if (!first) {
    return false;
  }
  const std::string text = write(*first);
  if (write(parse(text, kWhere)) != text) {
    not_kept("what was written is read as something else: " + text);
  }
  return true;
}

bool take_in_reply(std::string_view bytes) {
  return goes_round(bytes, trial::parse_trial_reply, [](const trial::TrialReply& reply) {
    (void)trial::throughput(reply);
    (void)trial::profiler_dilation(reply);
    return to_json(reply);
  });
}

bool take_in_ledger(std::string_view bytes) {
  const auto contents = read_or_refused([&] { return campaign::parse_ledger(bytes, kWhere); });
  if (!contents) {
    return false;
  }
  std::string text = to_line(contents->header) + "\n";
  for (const campaign::Sitting& sitting : contents->sittings) {
    text += sitting_start_line(sitting) + "\n";
    text += sitting.end_ns ? sitting_end_line(sitting) + "\n" : "";
  }
  const auto again = campaign::parse_ledger(text, kWhere);
  if (to_line(again.header) != to_line(contents->header) || contents->elapsed_ns() < 0 ||
      contents->whole_bytes > static_cast<std::int64_t>(bytes.size())) {
    not_kept("a ledger that cannot be gone on with");
  }
  return true;
}

// A gate is read from its folder, whose ledger holds the bytes. The files of its processes are
// missing: a ledger that asks for them has been read.
bool take_in_gate(std::string_view bytes) {
  static const campaign::TestFolder folder;
  const fs::path& path = folder.path();
  std::ofstream(path / "ledger.jsonl", std::ios::binary | std::ios::trunc) << bytes;
  bool is_read = true;
  (void)read_or_refused(
      [&] {
        try {
          return gate::read_recorded_gate(path);
        } catch (const Error& error) {
          is_read = std::string_view(error.what()).find("spec.json") != std::string_view::npos;
          throw;
        }
      },
      path.string());
  return is_read;
}

bool take_in_result(std::string_view bytes) {
  const std::string text(bytes);
  const auto entry = read_or_refused([&] { return history::read_entry(text, kWhere); });
  const bool is_read = goes_round(
      bytes, result::read_result, [](const result::Result& read) { return to_json(read); });
  if (entry && !is_read) {
    not_kept("an entry of the history without a result");
  }
  return is_read;
}

bool take_in_history(std::string_view bytes) {
  return goes_round(bytes, history::read_export, history::to_export);
}

bool take_in_baseline(std::string_view bytes) {
  const auto written = [](const gate::StoredBaseline& baseline) {
    (void)gate::disagreement(baseline, {});
    return to_json(baseline);
  };
  return goes_round(bytes, gate::parse_baseline, written, "baseline");
}

bool take_in_calibration(std::string_view bytes) {
  return goes_round(bytes, gate::parse_calibration, [](const gate::Calibration& calibration) {
    (void)gate::false_alarm_text(calibration);
    return to_json(calibration);
  });
}

bool take_in_slurm_state(std::string_view bytes) {
  return goes_round(
      bytes, cli::parse_slurm_state, [](const cli::SlurmState& state) { return to_json(state); });
}

bool take_in_scenario(std::string_view bytes) {
  const std::string text(bytes);
  const auto scenario =
      read_or_refused([&] { return scenario::read_scenario(text, "bytes.yaml"); }, "bytes.yaml");
  if (!scenario) {
    return false;
  }
  machine::MachineFacts machine;
  machine.logical_cpus = 2;
  try {
    (void)plan_cost(*scenario, make_plan(*scenario, machine));
  } catch (const Error& error) {
    if (std::string_view(error.what()).empty()) {
      not_kept("refused without a sentence");
    }
  }
  return true;
}

// As they come, whole and in pieces: the same phases.
bool take_in_phases(std::string_view bytes) {
  constexpr std::int64_t kNow = 1'000'000'000;
  constexpr std::size_t kPiece = 7;
  runner::PhaseLines whole;
  runner::PhaseLines pieces;
  const std::size_t begun = whole.add(bytes, kNow).size();
  std::size_t begun_in_pieces = 0;
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    begun_in_pieces += pieces.add(bytes.substr(at, kPiece), kNow).size();
  }
  if (begun != begun_in_pieces || whole.phase() != pieces.phase() ||
      whole.problem().empty() != pieces.problem().empty()) {
    not_kept("other phases in pieces");
  }
  return begun > 0 && whole.problem().empty();
}

// The ring of the agent in a user's script.
bool take_in_notes(std::string_view bytes) {
  const auto notes =
      read_or_refused([&] { return script::parse_notes(std::as_bytes(std::span(bytes)), kWhere); });
  return notes && !notes->notes.empty();
}

bool take_in_facts(std::string_view bytes) {
  const auto facts = read_or_refused([&] { return script::parse_script_facts(bytes, kWhere); });
  if (!facts) {
    return false;
  }
  (void)settings_in_effect(*facts, {0});
  return true;
}

// Smaller records, each behind a line with its name.
bool take_in_record(std::string_view bytes) {
  const std::string_view name = bytes.substr(0, bytes.find('\n'));
  const std::string_view text = bytes.substr(std::min(bytes.size(), name.size() + 1));
  const auto written = [](const auto& record) { return to_json(record); };
  if (name == "spec") {
    return goes_round(text, trial::parse_trial_spec, written);
  }
  if (name == "series") {
    return goes_round(text, history::parse_series, written);
  }
  if (name == "telemetry") {
    return read_or_refused([&] { return telemetry::parse_trial_telemetry(text, kWhere); })
        .has_value();
  }
  if (name == "probe") {
    return read_or_refused([&] { return probe::parse_probe(text, kWhere); }).has_value();
  }
  return name == "worker" &&
         read_or_refused([&] { return trial::parse_worker_description(text, kWhere); }).has_value();
}

}  // namespace

const std::vector<Reader>& readers() {
  static const std::vector<Reader> all = {{"baseline", take_in_baseline},
                                          {"calibration", take_in_calibration},
                                          {"facts", take_in_facts},
                                          {"gate", take_in_gate},
                                          {"history", take_in_history},
                                          {"ledger", take_in_ledger},
                                          {"notes", take_in_notes},
                                          {"phases", take_in_phases},
                                          {"record", take_in_record},
                                          {"reply", take_in_reply},
                                          {"request", take_in_request},
                                          {"result", take_in_result},
                                          {"scenario", take_in_scenario},
                                          {"slurm-state", take_in_slurm_state}};
  return all;
}

const Reader& reader_of(std::string_view subject) {
  for (const Reader& reader : readers()) {
    if (reader.subject == subject) {
      return reader;
    }
  }
  not_kept("no reader of " + std::string(subject));
}

}  // namespace tune::fuzz
