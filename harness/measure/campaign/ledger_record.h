#pragma once

#include "machine/machine_facts.h"
#include "measure/campaign/pair_form.h"
#include "measure/campaign/proposal.h"
#include "measure/runner/trial_outcome.h"
#include "trial/trial_spec.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::campaign {

constexpr std::string_view kLedgerSchema = "tune-ledger/1";

/// The longest reason, or end of a worker's output, that a reader accepts, in bytes.
constexpr std::size_t kLongestLedgerText = 1 << 14;

/// One of the shards that a run was joined from.
struct JoinedShard {
  std::string directory, started_utc;
  std::uint64_t seed = 0;
  machine::MachineFacts machine;
};

/// The first line of a ledger: everything that the trials have in common, so that a run directory
/// explains itself and a resumed run can check that it continues the same campaign.
struct LedgerHeader {
  std::string tune_version, commit;
  int protocol = trial::kProtocol;
  std::string scenario_file, scenario_text, scenario_sha256;
  std::vector<std::string> overrides;  ///< "num_workers=2", applied to the text in this order
  std::string plan_sha256;             ///< of the cells that the text gives on this machine
  /// That plan_sha256 covers; empty: all (an old ledger). Those of the catalogue are always
  /// written.
  std::vector<std::string> knobs;
  std::uint64_t seed = 0;
  machine::MachineFacts machine;
  trial::Data data;          ///< as every trial gets it
  std::string model_sha256;  ///< of the user's own; "" for a model of the catalogue
  std::string worker, worker_sha256;
  std::vector<std::string> command;  ///< as typed
  std::string started_utc;
  std::vector<JoinedShard> shards;  ///< in their order; none: the run was not joined

  // Compiled once, in ledger.cpp: they are long, and many files hold one.
  LedgerHeader();
  LedgerHeader(const LedgerHeader&);
  LedgerHeader(LedgerHeader&&) noexcept;
  LedgerHeader& operator=(const LedgerHeader&);
  LedgerHeader& operator=(LedgerHeader&&) noexcept;
  ~LedgerHeader();
};

/// End reason of a sitting whose campaign is looked at before it ends.
constexpr const char* kStillRunning = "still-running";

/// One process of `tune run` that worked on the campaign; --resume adds the next.
struct Sitting {
  std::string started_utc;
  std::int64_t start_ns = 0;              ///< CLOCK_MONOTONIC
  std::optional<std::int64_t> budget_ns;  ///< of the whole campaign, as known then
  std::optional<std::int64_t> end_ns;     ///< nothing: it was killed
  /// finished | budget | baseline-failed | trial-failed | interrupted; kStillRunning: never in a
  /// ledger
  std::string end_reason;
  std::int64_t last_trial_end_ns = 0;  ///< 0: none ended in this sitting
  std::string host;                    ///< name of the machine; "": not known
  std::int64_t shard = 0;              ///< of a joined run: from 1; 0: after it was joined

  std::int64_t elapsed_ns() const;
};

/// A finished trial. Its reply is a file of its own.
struct LoggedTrial {
  std::string id, stage, cell;
  std::int64_t round = 0, position = 0;
  std::int64_t attempt = 1;  ///< above 1: the one before was disturbed too much, or killed
  std::int64_t timeout_ns = 0;
  runner::TrialOutcome outcome;  ///< without the reply
  std::string reply;             ///< "trials/r1-c07/reply.json", or "" when there is none
  std::size_t sitting = 0;       ///< in which it ran, by its place in the ledger
  std::int64_t line = 0;         ///< of the ledger, from 1
};

/// A finished trial that counts as not run: its reply was lost. It may have been run again since.
struct ForgottenTrial {
  std::string id;
  std::string damage;  ///< of its reply: "missing", "damaged (slices is missing)"
};

/// Whose lines are read: a gate's trials have one stage, and its pairs for rounds; 0 is in none.
enum class LedgerOf { campaign, gate };

// The fields of the lines but for their events. A reader throws tune::Error where one is missing,
// of another type or out of range.
/// What headers of campaigns and of gates have in common: who measured what, where and when.
void origin_of(Fields& fields, LedgerHeader& header);
void fields_of(Fields& fields, LedgerHeader& header);
void trial_of(Fields& fields, LoggedTrial& trial, LedgerOf whose);
void fields_of(Fields& fields, ForgottenTrial& trial);
void sitting_start_of(Fields& fields, Sitting& sitting, std::int64_t shards);
void sitting_end_of(Fields& fields, Sitting& sitting);

/// The fields and the event as one line of JSON, without the line feed.
std::string ledger_line(const char* event, nlohmann::ordered_json line);
std::string to_line(const LedgerHeader& header);
std::string to_line(const LoggedTrial& trial);
std::string to_line(const ForgottenTrial& trial);
std::string to_line(const Proposals& proposals);
std::string to_line(const PairForm& form);
std::string sitting_start_line(const Sitting& sitting);
std::string sitting_end_line(const Sitting& sitting);

/// A line of a ledger that cannot be read, or has no place among the others: as if it were not
/// there.
struct LeftOutLine {
  std::int64_t number = 0;  ///< from 1
  std::string why;          ///< "arrivals[0].seen_ns is out of range, 0 to 10"
};

/// What a whole ledger says.
struct LedgerContents {
  LedgerHeader header;
  std::vector<Sitting> sittings;
  std::vector<LoggedTrial> trials;  ///< one for an id; without those that were forgotten
  std::vector<ForgottenTrial> forgotten;
  std::optional<Proposals> proposals;  ///< nothing: the rules were not asked during the run
  std::vector<PairForm> forms;         ///< of a cell the last one counts
  std::vector<LeftOutLine> left_out;
  std::int64_t whole_bytes = 0;  ///< up to the end of the last whole line
  bool torn = false;             ///< something stood after that: the end of a line that was cut off

  /// The sum over all sittings. Shards ran at the same time, so that the longest of them counts.
  std::int64_t elapsed_ns() const;

  /// How the fresh pairs of the cell run; nothing: none has begun, or they began without a form.
  const PairForm* form_of(const std::string& cell) const;

  // Compiled once, in ledger.cpp: they are long, and many files hold one.
  LedgerContents();
  LedgerContents(const LedgerContents&);
  LedgerContents(LedgerContents&&) noexcept;
  LedgerContents& operator=(const LedgerContents&);
  LedgerContents& operator=(LedgerContents&&) noexcept;
  ~LedgerContents();
};

/// Reads the text of a ledger. A last line that is not JSON was torn by a crash; any other damaged
/// line is left out, and what it recorded counts as not run. Throws tune::Error naming
/// `where`:line when the header cannot be read. Fields that are not known here are left alone; an
/// event that is not known may change what the others mean, and is refused.
LedgerContents parse_ledger(std::string_view text, const std::string& where);

}  // namespace tune::campaign
