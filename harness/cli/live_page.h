#pragma once

#include "cli/open_run.h"
#include "cli/run_display.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/run_trials.h"
#include "report/viewer/event_feed.h"
#include "report/viewer/page_server.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace tune::cli {

/// The page of a run while it lasts (`tune run --watch`): how far it is, and below that its
/// report, which fills up. Whoever calls is the thread that runs trials, so a report is only made
/// between two of them; there, only while somebody looks, and for at most a twentieth of the time.
/// While a trial runs the page sends nothing by itself, and what is asked for is ready.
class LivePage {
 public:
  /// `name` is the run's.
  explicit LivePage(std::string name);

  /// Answers from now on (viewer::PageServer).
  bool start(int port, std::string& why) { return server_.start(port, why); }
  int port() const { return server_.port(); }
  std::string address() const { return server_.address(); }

  /// What makes the report of what has been measured so far; called until end().
  using Render = std::function<std::string()>;
  void fill_with(Render render) { render_ = std::move(render); }

  /// Nothing is measured yet; may be called ten times a second.
  void prepare(const std::string& what);
  void trial_begins(const campaign::Standpoint& standpoint);
  void trial_ended(const campaign::Standpoint& standpoint, const campaign::TrialRecord& record);

  /// Shows how it ended, and the report in that file; then waits until those who look have it, two
  /// seconds at most, or until `stop` asks for haste (2).
  void end(const std::string& how, const std::filesystem::path& file, const std::atomic<int>& stop);

 private:
  void take(const campaign::Standpoint& standpoint);
  void render_if_wanted();
  void show_report(std::string html);
  void publish();

  std::string name_;
  viewer::PageServer server_;
  viewer::WorkShare rendering_;
  Render render_;
  std::string line_, more_, trouble_;
  std::int64_t done_ = 0, total_ = 0;
  std::int64_t reports_ = 0;  // made so far; 0: there is none to see
  std::int64_t published_ns_ = 0;
  bool has_ended_ = false;
};

/// The page of a run that asks for it, answering; its address is on standard error. Null
/// where the port is taken, which standard error says too. Throws tune::Error for what is not a
/// port.
std::unique_ptr<LivePage> open_live_page(const RunRequest& request, const std::string& name);

/// The display with a page, which hears of trials and preparations alone: nothing
/// that happens within a trial reaches it. The page outlives the display.
std::unique_ptr<RunDisplay> make_live_display(std::unique_ptr<RunDisplay> display, LivePage& page);

/// report.html of a run that has not ended, of the trials that have: what `tune report` would make
/// of its directory now, but for the history. `sitting` is the present one; `rules` is a
/// folder of the user's own, or "". Throws tune::Error as ask_rules() does (ask_rules.h).
std::string live_report(const campaign::RecordedRun& run,
                        campaign::Sitting sitting,
                        const std::string& rules);

}  // namespace tune::cli
