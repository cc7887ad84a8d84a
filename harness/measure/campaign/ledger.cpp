#include "measure/campaign/ledger.h"

#include "base/error.h"
#include "base/file.h"

#include <utility>

namespace tune::campaign {

namespace {

constexpr std::int64_t kLargestLedger = 1 << 30;

}  // namespace

Ledger::Ledger(AppendedFile file) : file_(std::move(file)) {}

Ledger Ledger::create(const std::filesystem::path& file, const LedgerHeader& header) {
  const std::string first = to_line(header);
  // Nothing is measured into what nobody could read.
  (void)parse_ledger(first + "\n", file.string());
  return Ledger(AppendedFile::create(file, first));
}

Ledger Ledger::reopen(const std::filesystem::path& file, std::int64_t whole_bytes) {
  return Ledger(AppendedFile::reopen(file, whole_bytes));
}

void Ledger::check_place() const {
  file_.check_place();
}
void Ledger::begin_sitting(const Sitting& sitting) {
  file_.append(sitting_start_line(sitting));
}
void Ledger::add(const LoggedTrial& trial) {
  file_.append(to_line(trial));
}
void Ledger::forget(const ForgottenTrial& trial) {
  file_.append(to_line(trial));
}
void Ledger::add(const Proposals& proposals) {
  file_.append(to_line(proposals));
}
void Ledger::add(const PairForm& form) {
  file_.append(to_line(form));
}
void Ledger::end_sitting(const Sitting& sitting) {
  file_.append(sitting_end_line(sitting));
}

std::filesystem::path ledger_file(const std::filesystem::path& directory) {
  return directory / "ledger.jsonl";
}

LedgerContents read_ledger(const std::filesystem::path& directory) {
  const std::filesystem::path file = ledger_file(directory);
  const auto type = type_of_kept(file);
  if (type != std::filesystem::file_type::not_found &&
      type != std::filesystem::file_type::regular) {  // a pipe would block us
    throw Error({file.string(), "is not a file", "", ""});
  }
  if (type == std::filesystem::file_type::not_found) {
    throw Error({directory.string(),
                 "is not a run directory",
                 "it has no ledger.jsonl",
                 "name a folder under tune-runs/"});
  }
  return parse_ledger(read_kept_file(file, kLargestLedger), file.string());
}

LedgerHeader::LedgerHeader() = default;
LedgerHeader::LedgerHeader(const LedgerHeader&) = default;
LedgerHeader::LedgerHeader(LedgerHeader&&) noexcept = default;
LedgerHeader& LedgerHeader::operator=(const LedgerHeader&) = default;
LedgerHeader& LedgerHeader::operator=(LedgerHeader&&) noexcept = default;
LedgerHeader::~LedgerHeader() = default;

LedgerContents::LedgerContents() = default;
LedgerContents::LedgerContents(const LedgerContents&) = default;
LedgerContents::LedgerContents(LedgerContents&&) noexcept = default;
LedgerContents& LedgerContents::operator=(const LedgerContents&) = default;
LedgerContents& LedgerContents::operator=(LedgerContents&&) noexcept = default;
LedgerContents::~LedgerContents() = default;

void make_trial_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::remove_all(folder, failed);
  if (!failed) {
    std::filesystem::create_directories(folder, failed);
  }
  if (failed) {
    throw_failed_call(folder, "cannot be emptied and created", failed.value());
  }
}

LoggedTrial logged(const TrialRecord& record) {
  LoggedTrial trial;
  trial.id = record.spec.id;
  trial.stage = record.stage;
  trial.cell = record.spec.cell;
  trial.round = record.round;
  trial.position = record.position;
  trial.attempt = record.attempt;
  trial.timeout_ns = record.spec.timeout_ns;
  trial.outcome = record.outcome;
  trial.outcome.reply.reset();
  if (record.outcome.kind == runner::OutcomeKind::completed) {
    trial.reply = "trials/" + record.spec.id + "/reply.json";
  }
  return trial;
}

bool has_completed(const TrialRecord& record) {
  return record.outcome.kind == runner::OutcomeKind::completed;
}

}  // namespace tune::campaign
