#pragma once

#include "base/appended_file.h"
#include "measure/campaign/ledger_record.h"
#include "measure/gate/gate_result.h"

#include <filesystem>
#include <string>

namespace tune::gate {

constexpr std::string_view kGateLedgerSchema = "tune-gate-ledger/1";

/// The first line of a gate's ledger, but for its event. The sides' specs are not read back: their
/// processes have them.
void gate_header_of(Fields& fields, campaign::LedgerHeader& origin, GateResult& plan);

/// The record of a gate: lines of JSON that are only ever appended, each on disk before the gate
/// continues. First the header, then one line for each process and one for each look, with what it
/// spent; last how it ended.
class GateLedger {
 public:
  /// Throws tune::Error when there is a ledger already or it cannot be written.
  GateLedger(const std::filesystem::path& directory, const GateResult& plan);

  void add(const campaign::LoggedTrial& trial, const ProcessSummary* summary);
  void add(const LookRecord& look, const std::vector<Pair>& pairs);
  void end(const GateResult& result);

  /// Throws a MachineError where it was removed or replaced.
  void check_place() const;

 private:
  AppendedFile file_;
};

}  // namespace tune::gate
