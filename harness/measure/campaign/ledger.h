#pragma once

#include "base/appended_file.h"
#include "measure/campaign/campaign_result.h"
#include "measure/campaign/ledger_record.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace tune::campaign {

/// The truth about a run: a file to which lines are only ever appended, each on disk before the
/// campaign continues.
class Ledger {
 public:
  /// Begins a new one. Throws tune::Error when there is a ledger already, it cannot be written, or
  /// the header could not be read again.
  static Ledger create(const std::filesystem::path& file, const LedgerHeader& header);

  /// Goes on with one whose first `whole_bytes` are good; what a crash left after them is cut off.
  static Ledger reopen(const std::filesystem::path& file, std::int64_t whole_bytes);

  void begin_sitting(const Sitting& sitting);
  void add(const LoggedTrial& trial);
  /// The line of the trial counts no more, another may follow.
  void forget(const ForgottenTrial& trial);
  /// What the rules propose, once, before the first trial of the search.
  void add(const Proposals& proposals);
  /// How the fresh pairs of a cell run, before they begin; again where that changes.
  void add(const PairForm& form);
  void end_sitting(const Sitting& sitting);

  /// Throws a MachineError where it was removed or replaced.
  void check_place() const;

 private:
  explicit Ledger(AppendedFile file);

  AppendedFile file_;
};

/// Reads <directory>/ledger.jsonl. Throws tune::Error, MachineError when it cannot be read now.
LedgerContents read_ledger(const std::filesystem::path& directory);

/// <directory>/ledger.jsonl.
std::filesystem::path ledger_file(const std::filesystem::path& directory);

/// Makes the folder of a trial that begins. One that was begun and abandoned leaves a folder;
/// nothing of it may mix with the new one. Throws tune::Error when that cannot be done.
void make_trial_folder(const std::filesystem::path& folder);

/// What the ledger keeps of a finished trial. Its reply stays a file of its own.
LoggedTrial logged(const TrialRecord& record);

bool has_completed(const TrialRecord& record);

}  // namespace tune::campaign
