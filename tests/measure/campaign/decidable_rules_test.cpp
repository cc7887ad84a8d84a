// All shipped rules over everything that is recorded here: replies of a run and traces. Which of
// them nothing can decide, and why, is written to undecided-rules.md in the build folder; which
// they are stands in tests/rules/undecided.txt. TUNE_RECORDINGS adds recordings: run directories,
// traces, folders of both, with ':' between.

#include "base/error.h"
#include "recorded_diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace tune::campaign {
namespace {

namespace fs = std::filesystem;

/// What the recordings that were looked at say of each rule.
class Decisions {
 public:
  void add_run(const fs::path& folder) {
    if (const auto found = diagnose_recorded_run(folder)) {
      take(*found, "run " + folder.filename().string());
    }
  }

  void add_trace(const fs::path& file) {
    take(diagnose_recorded_traces({file}), "trace " + file.filename().string());
  }

  // A run, a trace, or a folder of both.
  void add(const fs::path& place) {
    try {
      if (fs::exists(place / "ledger.jsonl")) {
        add_run(place);
      } else if (fs::is_directory(place)) {
        for (const fs::path& inside : sorted(place)) {
          add(inside);
        }
      } else if (place.extension() == ".json" || place.extension() == ".gz") {
        add_trace(place);
      }
    } catch (const Error& error) {
      left_out_.push_back(error.what());
    }
  }

  bool is_decided(const std::string& rule) const { return decided_.contains(rule); }
  std::size_t decided() const { return decided_.size(); }
  const std::vector<std::string>& sources() const { return sources_; }

  /// Every reason once, that of the last recording first: runs are looked at after traces.
  std::string why_not(const std::string& rule) const {
    std::string text;
    std::set<std::string> told;
    const std::vector<std::string>& reasons = reasons_.at(rule);
    for (auto reason = reasons.rbegin(); reason != reasons.rend(); ++reason) {
      if (told.insert(*reason).second && told.size() <= kMostReasons) {
        text += (text.empty() ? "" : "; ") + *reason;
      }
    }
    return text;
  }

  std::string report() const {
    std::ostringstream text;
    const std::size_t all = shipped_catalog()->rules.size();
    text << "# Rules that no recording can decide\n\n"
         << all - decided_.size() << " of " << all << " rules are not applicable in every one of "
         << sources_.size() << " recordings:\n\n";
    for (const std::string& source : sources_) {
      text << "- " << source << '\n';
    }
    for (const std::string& problem : left_out_) {
      text << "- left out: " << problem << '\n';
    }
    text << "\n| rule | group | why, the latest first |\n|---|---|---|\n";
    for (const rule::Rule& rule : shipped_catalog()->rules) {
      if (!is_decided(rule.id)) {
        text << "| `" << rule.id << "` | " << to_text(rule.group) << " | " << why_not(rule.id)
             << " |\n";
      }
    }
    return text.str();
  }

 private:
  static constexpr std::size_t kMostReasons = 3;

  static std::vector<fs::path> sorted(const fs::path& folder) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (!entry.is_symlink()) {
        paths.push_back(entry.path());
      }
    }
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  void take(const advice::Diagnosis& diagnosis, const std::string& source) {
    sources_.push_back(source);
    for (const advice::Finding& finding : diagnosis.findings) {
      if (finding.state != rule::State::not_applicable) {
        decided_.insert(finding.rule->id);
      } else {
        reasons_[finding.rule->id].push_back(finding.reason);
      }
    }
  }

  std::set<std::string> decided_;
  std::map<std::string, std::vector<std::string>> reasons_;
  std::vector<std::string> sources_, left_out_;
};

// One id a line; '#' begins a comment.
std::set<std::string> approved() {
  std::istringstream text(read_file(fs::path(SOURCE_DIR) / "tests/rules/undecided.txt"));
  std::set<std::string> ids;
  for (std::string line; std::getline(text, line);) {
    std::string id = line.substr(0, line.find('#'));
    id.erase(id.find_last_not_of(' ') + 1);
    if (!id.empty()) {
      ids.insert(id);
    }
  }
  return ids;
}

TEST(DecidableRules, AreAllButThoseThatAreListedWithTheirReasons) {
  Decisions decisions;
  decisions.add(fs::path(SOURCE_DIR) / "tests/fuzz/corpus/trace");
  decisions.add(fs::path(SOURCE_DIR) / "tests/rules/recordings/traces");
  decisions.add(fs::path(SOURCE_DIR) / "tests/recorded");
  decisions.add(UNPACKED_RECORDINGS);
  if (const char* const more = std::getenv("TUNE_RECORDINGS")) {
    std::istringstream places(more);
    for (std::string place; std::getline(places, place, ':');) {
      decisions.add(place);
    }
  }
  write_file_synced(UNDECIDED_FILE, decisions.report());
  ASSERT_GE(decisions.sources().size(), 13U) << "a run, eleven provoked ones, a trace";
  const std::set<std::string> expected = approved();
  for (const rule::Rule& rule : shipped_catalog()->rules) {
    const bool is_listed = expected.contains(rule.id);
    if (!decisions.is_decided(rule.id)) {
      EXPECT_NE(decisions.why_not(rule.id), "") << rule.id;
      EXPECT_TRUE(is_listed) << rule.id << ": " << decisions.why_not(rule.id);
    } else if (std::getenv("TUNE_RECORDINGS") == nullptr) {
      EXPECT_FALSE(is_listed) << rule.id << " is decided by a recording: take it off the list";
    }
  }
  // What the measured window of a training on the CPU alone has to be enough for.
  for (const char* const rule : {"input-bound",
                                 "synchronous-loader",
                                 "cpu-oversubscription",
                                 "float-batches-from-loader",
                                 "memory-near-limit",
                                 "noisy-neighbour",
                                 "page-fault-storm",
                                 "serial-host-work",
                                 "unfused-optimizer"}) {
    EXPECT_TRUE(decisions.is_decided(rule)) << rule << ": " << decisions.why_not(rule);
  }
  std::cout << decisions.report();
}

}  // namespace
}  // namespace tune::campaign
