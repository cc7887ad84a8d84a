#include "campaign/ledger_record.h"
#include "campaign/machine_json.h"
#include "campaign/proposal_json.h"
#include "trial/knob_catalog.h"
#include "trial/plugin_knob.h"
#include "trial/time_limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace tune::campaign {

namespace {

using nlohmann::json;

// Three bytes may stand for one that is no UTF-8.
constexpr std::size_t kLongestTail = kLongestLedgerText / 3;

// Worker output may hold any bytes: what is no UTF-8 is replaced, never a reason to lose a line.
std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// What the reader accepts: a bound on the length, no zero bytes.
std::string bounded(const std::string& text, std::size_t limit_bytes) {
  std::string kept = text.substr(0, limit_bytes);
  std::replace(kept.begin(), kept.end(), '\0', ' ');
  return kept;
}

std::vector<std::string> bounded(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  kept.reserve(words.size());
  for (const std::string& word : words) {
    kept.push_back(bounded(word, 1024));
  }
  return kept;
}

json to_json(const trial::Data& data) {
  return {{"source", data.source},
          {"path", data.path},
          {"samples", data.samples},
          {"profile", data.profile},
          {"on_error", data.on_error},
          {"max_error_ratio", data.max_error_ratio},
          {"drop_last", data.drop_last},
          {"manifest_sha256", data.manifest_sha256}};
}

// And those that the header adds: a plug-in's.
std::vector<std::string> knob_names(const std::vector<std::string>& further) {
  std::vector<std::string> names;
  for (const trial::Knob& knob : trial::all_knobs()) {
    names.push_back(knob.name);
  }
  std::copy_if(
      further.begin(), further.end(), std::back_inserter(names), [](const std::string& name) {
        return trial::is_plugin_knob(name);
      });
  return names;
}

}  // namespace

std::string to_line(const LedgerHeader& header) {
  json line = {{"event", "header"},
               {"schema", kLedgerSchema},
               {"tune", header.tune_version},
               {"commit", header.commit},
               {"protocol", header.protocol},
               {"scenario",
                {{"file", header.scenario_file},
                 {"text", header.scenario_text},
                 {"sha256", header.scenario_sha256}}},
               {"overrides", header.overrides},
               {"plan_sha256", header.plan_sha256},
               {"knobs", knob_names(header.knobs)},
               {"seed", header.seed},
               {"machine", to_json(header.machine)},
               {"data", to_json(header.data)},
               {"worker", {{"path", header.worker}, {"sha256", header.worker_sha256}}},
               {"command", bounded(header.command)},
               {"started_utc", header.started_utc}};
  if (!header.model_sha256.empty()) {
    line["model_sha256"] = header.model_sha256;
  }
  for (const JoinedShard& shard : header.shards) {
    line["shards"].push_back({{"directory", bounded(shard.directory, 1024)},
                              {"started_utc", shard.started_utc},
                              {"seed", shard.seed},
                              {"machine", to_json(shard.machine)}});
  }
  return dump(line);
}

std::string to_line(const LoggedTrial& trial) {
  json arrivals = json::array();
  for (const runner::PhaseArrival& arrival : trial.outcome.arrivals) {
    arrivals.push_back({{"phase", bounded(arrival.phase, 64)},
                        {"seen_ns", arrival.seen_ns},
                        {"worker_ns", arrival.worker_ns}});
  }
  json line = {{"event", "trial"},
               {"id", trial.id},
               {"stage", trial.stage},
               {"round", trial.round},
               {"position", trial.position},
               {"attempt", trial.attempt},
               {"cell", trial.cell},
               {"timeout_ns", trial.timeout_ns},
               {"outcome", runner::name(trial.outcome.kind)},
               {"reason", bounded(trial.outcome.reason, kLongestTail)},
               {"phase", bounded(trial.outcome.phase, 1024)},
               {"start_ns", trial.outcome.start_ns},
               {"end_ns", trial.outcome.end_ns},
               {"stderr_tail", bounded(trial.outcome.stderr_tail, kLongestTail)},
               {"arrivals", arrivals},
               {"reply", trial.reply.empty() ? json(nullptr) : json(trial.reply)}};
  if (trial.outcome.was_killed) {
    line["killed"] = true;
  }
  if (!trial.outcome.removed_variables.empty()) {
    line["removed_variables"] = bounded(trial.outcome.removed_variables);
  }
  return dump(line);
}

std::string to_line(const ForgottenTrial& trial) {
  return dump(
      {{"event", "forget"}, {"id", trial.id}, {"damage", bounded(trial.damage, kLongestTail)}});
}

std::string to_line(const Proposals& proposals) {
  json line = to_json(proposals);
  line["event"] = "proposals";
  return dump(line);
}

std::string sitting_start_line(const Sitting& sitting) {
  json line = {{"event", "sitting-start"},
               {"utc", sitting.started_utc},
               {"monotonic_ns", sitting.start_ns},
               {"budget_ns", nullptr}};
  if (sitting.budget_ns) {  // of a verification: what is left, and what it has used
    line["budget_ns"] = std::min(*sitting.budget_ns, trial::kLongestCampaignNs);
  }
  if (!sitting.host.empty()) {
    line["host"] = bounded(sitting.host, 85);
  }
  if (sitting.shard > 0) {
    line["shard"] = sitting.shard;
  }
  return dump(line);
}

std::string sitting_end_line(const Sitting& sitting) {
  return dump({{"event", "sitting-end"},
               {"monotonic_ns", sitting.end_ns.value_or(0)},
               {"reason", sitting.end_reason}});
}

}  // namespace tune::campaign
