#include "cli/gate_display.h"

#include "base/clock.h"
#include "base/units.h"
#include "cli/run_display.h"
#include "report/number_text.h"

#include <iostream>

namespace tune::cli {

namespace {

constexpr std::int64_t kHeartbeatNs = 10'000'000'000;

std::string place_of(const gate::Standpoint& standpoint) {
  return (standpoint.pair == 0 ? "[beside the pairs] "
                               : "[pair " + std::to_string(standpoint.pair) + "/" +
                                     std::to_string(standpoint.next_look) + "] ") +
         standpoint.side +
         (standpoint.attempt > 1 ? " again (" + std::to_string(standpoint.attempt) + ")" : "");
}

std::string left_of(const gate::Standpoint& standpoint) {
  return standpoint.pair == 0
             ? ""
             : " (about " + format_time(standpoint.remaining_ns) + " to the look at " +
                   std::to_string(standpoint.next_look) + " pairs)";
}

class Lines : public GateDisplay {
 public:
  void process_begins(const gate::Standpoint& standpoint) override {
    standpoint_ = standpoint;
    phase_ = "start";
    start_ns_ = monotonic_ns();
  }

  void process_ended(const gate::Standpoint& standpoint,
                     const campaign::TrialRecord& record,
                     const gate::ProcessSummary* summary) override {
    std::string line = place_of(standpoint) + ": " + outcome_words(record);
    if (summary != nullptr && summary->slices.tainted > 0) {
      line += ", " + std::to_string(summary->slices.tainted) + " of " +
              std::to_string(summary->slices.all()) +
              " slices disturbed: " + summary->taints.front();
    }
    print(line + left_of(standpoint));
    if (summary == nullptr) {
      std::cerr << last_output(record) << std::flush;
    }
  }

  void looked(const gate::LookRecord& look) override {
    std::string line =
        "look " + std::to_string(look.index + 1) + " at " + std::to_string(look.pairs) + " pairs:";
    for (const gate::Row& row : look.rows) {
      line += (&row == look.rows.data() ? " " : ", ") + row.metric + " " +
              report::gain_text(row.delta) + " " + gate::verdict_word(row.verdict);
    }
    print(line);
  }

  void phase_began(const std::string& phase) override { phase_ = phase; }

  void tick() override {
    const std::int64_t now_ns = monotonic_ns();
    if (now_ns - last_line_ns_ >= kHeartbeatNs) {
      print(place_of(standpoint_) + ": " + phase_ + ", " + format_time(now_ns - start_ns_) +
            left_of(standpoint_));
    }
  }

  void say(const std::string& line) override { print(line); }

  void show_preparation(const std::string& what) override {
    const std::int64_t now_ns = monotonic_ns();
    if (last_line_ns_ == 0 || now_ns - last_line_ns_ >= kHeartbeatNs) {
      print(what);
    }
  }

 private:
  void print(const std::string& line) {
    std::cerr << line << "\n" << std::flush;
    last_line_ns_ = monotonic_ns();
  }

  gate::Standpoint standpoint_;
  std::string phase_;
  std::int64_t start_ns_ = 0, last_line_ns_ = 0;
};

class Quiet : public GateDisplay {
 public:
  void process_begins(const gate::Standpoint& /*standpoint*/) override {}
  void process_ended(const gate::Standpoint& standpoint,
                     const campaign::TrialRecord& record,
                     const gate::ProcessSummary* summary) override {
    if (summary == nullptr) {
      std::cerr << place_of(standpoint) << ": " << outcome_words(record) << "\n"
                << last_output(record) << std::flush;
    }
  }
  void looked(const gate::LookRecord& /*look*/) override {}
  void phase_began(const std::string& /*phase*/) override {}
  void tick() override {}
  void say(const std::string& /*line*/) override {}
  void show_preparation(const std::string& /*what*/) override {}
};

}  // namespace

std::unique_ptr<GateDisplay> make_gate_display() {
  return std::make_unique<Lines>();
}

std::unique_ptr<GateDisplay> make_quiet_gate_display() {
  return std::make_unique<Quiet>();
}

}  // namespace tune::cli
