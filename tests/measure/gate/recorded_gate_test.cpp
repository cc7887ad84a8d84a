#include "measure/gate/recorded_gate.h"

#include "base/error.h"
#include "base/file.h"
#include "gate_fixture.h"
#include "measure/gate/fingerprint.h"
#include "scenario/scenario.h"

#include <functional>

namespace tune::gate {
namespace {

using stats::GateVerdict;

constexpr const char* kScenario = R"(tune: 1
name: fake
workload: {model: resnet18, task: train, image_size: 64, classes: 10}
data: {source: synthetic, samples: 64}
baseline: {batch_size: 8}
grid: {batch_size: [8, 16]}
)";

bool is_candidate(const trial::TrialSpec& spec) {
  return spec.cell == "candidate";
}

void kill_once(const trial::TrialSpec& spec, Process& process) {
  if (spec.id == "p01-baseline") {
    process.failure = runner::OutcomeKind::out_of_memory;
    process.was_killed = true;
  }
}

// A gate that is left on disk, and judged again from there.
class RecordedGateTest : public GateTest {
 protected:
  void SetUp() override {
    GateTest::SetUp();
    result_.run.scenario = scenario::read_scenario(kScenario, "/somewhere/fake.yaml");
    result_.run.machine.device = "cpu";
    result_.run.started_utc = "2026-11-21T12:00:00Z";
    for (Side* side : {&result_.baseline, &result_.candidate}) {
      side->words = side->name + " words";
      side->spec.workload = result_.run.scenario.workload;
      side->spec.data.source = "synthetic";
      side->spec.measure.structure = true;
    }
  }

  /// Measures a gate whose processes leave their files.
  GateResult& record(const Rule& rule) {
    return run([&](const trial::TrialSpec& spec, Process& process) {
      rule(spec, process);
      specs_.push_back(spec);
      write_file_synced(std::filesystem::path(spec.folder) / "spec.json", trial::to_json(spec));
    });
  }

  /// As the worker would have: run_one() makes the replies, this keeps them.
  void keep_replies() {
    for (const campaign::TrialRecord& trial : result_.run.trials) {
      if (trial.outcome.reply) {
        write_file_synced(std::filesystem::path(trial.spec.folder) / "reply.json",
                          trial::to_json(*trial.outcome.reply));
      }
    }
  }

  GateResult again(const std::function<void(Policy&)>& change = [](Policy&) {}) {
    const RecordedGate recorded = read_recorded_gate(folder_);
    GateResult result = recorded.plan;
    change(result.policy);
    result.looks = look_schedule(result.policy);
    result.run.directory = folder_ / ("again" + std::to_string(count_++));
    std::filesystem::create_directories(result.run.directory);
    GateLedger ledger(result.run.directory, result);
    SilentWatcher watcher;
    run_gate(result,
             {.ledger = ledger,
              .watcher = watcher,
              .now_ns = [] { return std::int64_t{0}; },
              .utc = [] { return std::string("2026-11-22T12:00:00Z"); },
              .recording = &recorded});
    return result;
  }

  std::string refusal() const {
    try {
      read_recorded_gate(folder_);
    } catch (const Incomparable& error) {
      return error.what();
    }
    return "";
  }

  void change_file(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = read_file(folder_ / name);
    ASSERT_NE(text.find(from), std::string::npos) << name;
    text.replace(text.find(from), from.size(), to);
    write_file_synced(folder_ / name, text);
  }

  int count_ = 0;
  std::vector<trial::TrialSpec> specs_;
};

TEST_F(RecordedGateTest, TheSameRulesGiveTheSameRows) {
  result_.policy.budgets = {{"throughput"}, {"peak_memory_bytes"}};
  result_.policy.mode = Mode::warn;
  record([&](const auto& spec, Process& process) {
    process.tainted_slices =
        spec.id == "p03-baseline" || spec.id.starts_with("p05-") ? 3 : 0;  // measured again
    kill_once(spec, process);
    process.rate *= std::exp(normal(0.003)) * (is_candidate(spec) ? 0.9 : 1);
  });
  keep_replies();
  const GateResult judged = again();
  EXPECT_EQ(judged.verdict, GateVerdict::regressed);
  EXPECT_EQ(judged.policy.mode, Mode::warn);
  EXPECT_EQ(judged.baseline.words, "baseline words");
  EXPECT_EQ(judged.pairs.size(), result_.pairs.size());
  EXPECT_EQ(judged.run.trials.size(), result_.run.trials.size());
  ASSERT_EQ(judged.rows.size(), 2U);
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    EXPECT_EQ(judged.rows[i].delta.value, result_.rows[i].delta.value);
    EXPECT_DOUBLE_EQ(judged.rows[i].evidence.upper, result_.rows[i].evidence.upper);
    EXPECT_EQ(judged.rows[i].verdict, result_.rows[i].verdict);
  }
  EXPECT_EQ(judged.counted.size(), result_.counted.size());
  EXPECT_TRUE(std::filesystem::exists(folder_ / "again0/ledger.jsonl"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "again0/trials")) << "nothing is run";
}

TEST_F(RecordedGateTest, AnotherBudgetMayGiveAnotherVerdict) {
  record([&](const auto& spec, Process& process) {
    process.rate *= std::exp(normal(0.003)) * (is_candidate(spec) ? 0.9 : 1);
    kill_once(spec, process);
  });
  keep_replies();
  const auto wide = again([](Policy& policy) { policy.budgets[0].ratio = 0.3; });
  EXPECT_EQ(wide.verdict, GateVerdict::pass);
  const auto counted = again([](Policy& policy) {
    policy.structural_only = true;
    policy.budgets.clear();
  });
  EXPECT_EQ(counted.verdict, GateVerdict::pass);
  EXPECT_TRUE(counted.rows.empty());
  EXPECT_FALSE(counted.counted.empty()) << "every process of a pair counts one step";
}

TEST_F(RecordedGateTest, WhereMorePairsAreNeededThanThereAreItSaysSo) {
  record([&](const auto& spec, Process& process) {
    // Six of ten pairs, "p01" and "p02" but not "p03" and "p04": as many in each order.
    const bool is_slow = is_candidate(spec) && (std::stoi(spec.id.substr(1, 2)) - 1) / 2 % 2 == 0;
    process.rate *= is_slow ? 1 / 1.045 : 1;
  });
  keep_replies();
  ASSERT_EQ(result_.pairs.size(), 10U) << "within 5 % at the first look";
  const auto open = again([](Policy& policy) {
    policy.budgets[0].ratio = 0.03;
    policy.looks = {10, 16};
  });
  EXPECT_EQ(open.end, End::judged);
  EXPECT_EQ(open.verdict, GateVerdict::inconclusive);
  EXPECT_EQ(open.rows[0].why, "recording: it ends after 10 of 16 pairs, undecided");
  EXPECT_EQ(exit_code(open), ExitCode::inconclusive);
  const auto early = again([](Policy& policy) { policy.looks = {12}; });
  EXPECT_EQ(early.end, End::recording_over);
  EXPECT_EQ(early.end_reason, "the recording ends after 10 of 12 pairs: before the first look");
  EXPECT_EQ(exit_code(early), ExitCode::partial);
}

TEST_F(RecordedGateTest, ACandidateThatCrashedCrashesAgain) {
  record([&](const auto& spec, Process& process) {
    if (spec.id == "p02-candidate") {
      process.failure = runner::OutcomeKind::crashed;
    }
  });
  keep_replies();
  const GateResult judged = again();
  EXPECT_EQ(judged.end, End::candidate_failed);
  EXPECT_EQ(judged.end_reason, result_.end_reason);
  EXPECT_EQ(exit_code(judged), ExitCode::negative_verdict);
}

TEST_F(RecordedGateTest, DamageIsToldAndNotJudged) {
  record([](const auto&, Process&) {});
  keep_replies();
  const std::string ledger = read_file(folder_ / "ledger.jsonl");
  const auto complaint_of =
      [&](const std::string& file, const std::string& from, const std::string& to) {
        const std::string before = read_file(folder_ / file);
        change_file(file, from, to);
        const std::string complaint = refusal();
        write_file_synced(folder_ / file, before);
        return complaint;
      };
  const auto tells = [](const std::string& complaint, const char* what) {
    return complaint.find("cannot be judged") != std::string::npos &&
           complaint.find(what) != std::string::npos;
  };
  EXPECT_EQ(refusal(), "");
  EXPECT_PRED2(tells,
               complaint_of("ledger.jsonl", "tune-gate-ledger/1", "tune-gate-ledger/9"),
               "schema 'tune-gate-ledger/9'");
  EXPECT_PRED2(tells, complaint_of("ledger.jsonl", "\"header\"", "\"heather\""), "not a header");
  EXPECT_PRED2(tells, complaint_of("ledger.jsonl", "\"look\"", "\"gaze\""), "not known");
  EXPECT_PRED2(tells,
               complaint_of("trials/p03-candidate/reply.json", "\"id\"", "\"di\""),
               "reply of process p03-candidate is damaged");
  EXPECT_PRED2(tells,
               complaint_of("trials/p03-candidate/spec.json", "p03-candidate", "p04-candidate"),
               "another process");
  write_file_synced(folder_ / "ledger.jsonl", ledger + R"({"event": "tri)");
  EXPECT_EQ(refusal(), "") << "a crash cut the last line off";
  std::filesystem::remove(folder_ / "trials/p03-candidate/reply.json");
  EXPECT_PRED2(tells, refusal(), "reply of process p03-candidate is missing");
  write_file_synced(folder_ / "ledger.jsonl", "");
  EXPECT_PRED2(tells, refusal(), "never begun");
  std::filesystem::remove(folder_ / "ledger.jsonl");
  try {
    read_recorded_gate(folder_);
    FAIL() << "it has no ledger";
  } catch (const Error& error) {
    EXPECT_EQ(dynamic_cast<const Incomparable*>(&error), nullptr) << "wrong input";
  }
}

TEST_F(RecordedGateTest, AFileThatCannotBeReadNowIsNoDamage) {
  record([](const auto&, Process&) {});
  keep_replies();
  for (const char* const name : {"reply.json", "spec.json"}) {
    const auto file = folder_ / "trials/p03-candidate" / name;
    std::filesystem::rename(file, folder_ / "aside");
    std::filesystem::create_symlink("/proc/self/mem", file);  // EIO
    EXPECT_THROW(read_recorded_gate(folder_), MachineError) << name;
    std::filesystem::rename(folder_ / "aside", file);
  }
  EXPECT_EQ(refusal(), "");
}

TEST_F(RecordedGateTest, ALineThatCannotBeReadTakesItsPairAlongAndNoOther) {
  record([](const auto& spec, Process& process) {
    process.rate *= is_candidate(spec) && spec.id == "p05-candidate" ? 0.99 : 1;
  });
  keep_replies();
  ASSERT_EQ(result_.pairs.size(), 10U);
  const std::string line = "\"id\":\"p03-candidate\"";
  for (const char* const damage : {"\"id\":\"../p03-candidate\"", "\"id\":3", "\"id"}) {
    const std::string before = read_file(folder_ / "ledger.jsonl");
    change_file("ledger.jsonl", line, damage);
    EXPECT_EQ(refusal(), "");
    const GateResult judged = again([](Policy& policy) { policy.looks = {9}; });
    EXPECT_EQ(judged.verdict, GateVerdict::pass) << damage;
    ASSERT_EQ(judged.pairs.size(), 9U) << damage;
    for (std::size_t pair = 0; pair < 9; ++pair) {
      const Pair& same = result_.pairs[pair < 2 ? pair : pair + 1];
      EXPECT_EQ(judged.pairs[pair].baseline_first, same.baseline_first) << pair;
      EXPECT_EQ(judged.pairs[pair].candidate.values, same.candidate.values) << pair;
    }
    ASSERT_EQ(judged.run.warnings.size(), 1U);
    EXPECT_NE(judged.run.warnings[0].find("ledger.jsonl:"), std::string::npos);
    EXPECT_NE(judged.run.warnings[0].find("this line is left out"), std::string::npos);
    write_file_synced(folder_ / "ledger.jsonl", before);
  }
}

TEST_F(RecordedGateTest, AGateWithoutPairsHoldsNothing) {
  record([](const auto&, Process& process) { process.failure = runner::OutcomeKind::crashed; });
  std::string ledger = read_file(folder_ / "ledger.jsonl");
  const auto begin = ledger.find("{\"", ledger.find('\n'));  // the only process
  ledger.erase(begin, ledger.find('\n', begin) + 1 - begin);
  write_file_synced(folder_ / "ledger.jsonl", ledger);
  EXPECT_NE(refusal().find("it holds no process of a pair: the "), std::string::npos) << refusal();
}

}  // namespace
}  // namespace tune::gate
