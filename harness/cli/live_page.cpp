#include "cli/live_page.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/ask_rules.h"
#include "cli/embedded_texts.h"
#include "cli/flags.h"
#include "cli/run_display.h"
#include "cli/run_profiles.h"
#include "measure/campaign/summarise.h"
#include "measure/campaign/telemetry_facts.h"
#include "report/markup.h"
#include "report/page_shell.h"
#include "report/palette.h"
#include "report/run_pages.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <iostream>
#include <thread>
#include <utility>

namespace tune::cli {

namespace {

class LiveDisplay : public RunDisplay {
 public:
  LiveDisplay(std::unique_ptr<RunDisplay> display, LivePage& page)
      : display_(std::move(display)), page_(page) {}

  void trial_begins(const campaign::Standpoint& standpoint) override {
    page_.trial_begins(standpoint);
    display_->trial_begins(standpoint);
  }

  void trial_ended(const campaign::Standpoint& standpoint,
                   const campaign::TrialRecord& record) override {
    display_->trial_ended(standpoint, record);
    page_.trial_ended(standpoint, record);
  }

  void phase_began(const std::string& phase) override { display_->phase_began(phase); }
  void tick() override { display_->tick(); }
  void say(const std::string& line) override { display_->say(line); }

  void show_preparation(const std::string& what) override {
    display_->show_preparation(what);
    page_.prepare(what);
  }

  void close() override { display_->close(); }

 private:
  std::unique_ptr<RunDisplay> display_;
  LivePage& page_;
};

}  // namespace

std::unique_ptr<RunDisplay> make_live_display(std::unique_ptr<RunDisplay> display, LivePage& page) {
  return std::make_unique<LiveDisplay>(std::move(display), page);
}

std::string live_report(const campaign::RecordedRun& run,
                        campaign::Sitting sitting,
                        const std::string& rules) {
  sitting.end_ns = monotonic_ns();
  sitting.end_reason = campaign::kStillRunning;
  campaign::RecordedRun so_far = run;
  so_far.ledger.sittings.push_back(std::move(sitting));
  campaign::CampaignResult result = campaign::summarise(so_far);
  result.telemetry = campaign::read_telemetry(result);
  read_profiles(result);
  ask_rules(result, rules);
  return report::to_html(result);
}

namespace {

constexpr const char* kPage = "index.html";
constexpr const char* kReport = "report.html";
constexpr const char* kReload =
    "<noscript><meta http-equiv=\"refresh\" content=\"15\"/></noscript>\n";
constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr double kMostOfTheTime = 0.05;

// Standing in place of the first one; as well-formed as that.
constexpr const char* kNoReport =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
    "<meta name=\"color-scheme\" content=\"light dark\"/><title>no report yet</title></head><body>"
    "<p>No report yet: it is made after the trial that runs now.</p></body></html>\n";

std::string count(std::int64_t number, const campaign::Standpoint& standpoint) {
  return "trial " + std::to_string(number) +
         (standpoint.total_is_known ? " of " + std::to_string(standpoint.total) : "") + ": " +
         trial_words(standpoint);
}

std::string joined(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + "; " + second;
}

}  // namespace

LivePage::LivePage(std::string name)
    : name_(std::move(name)),
      server_({.start = kPage, .has_events = true}),
      rendering_(kMostOfTheTime),
      line_("The run begins.") {
  server_.put("live.js", std::string(kLivePageScript));
  server_.put(kReport, kNoReport);
  publish();
}

void LivePage::prepare(const std::string& what) {
  if (line_ != what && monotonic_ns() - published_ns_ >= kNsPerSecond) {
    line_ = what;
    publish();
  }
}

void LivePage::trial_begins(const campaign::Standpoint& standpoint) {
  take(standpoint);
  line_ = count(standpoint.done + 1, standpoint);
  publish();
}

void LivePage::trial_ended(const campaign::Standpoint& standpoint,
                           const campaign::TrialRecord& record) {
  take(standpoint);
  line_ = count(standpoint.done, standpoint) + ": " + outcome_words(record);
  render_if_wanted();
  publish();
}

void LivePage::take(const campaign::Standpoint& standpoint) {
  done_ = standpoint.done;
  total_ = std::max(standpoint.total, standpoint.done);
  more_ = stage_words(standpoint) + ", round " + std::to_string(standpoint.slot.round) + ", " +
          left_words(standpoint);
  more_ = joined(more_, best_words(standpoint));
}

void LivePage::render_if_wanted() {
  const std::int64_t begin_ns = monotonic_ns();
  if (!render_ || !rendering_.may_begin(begin_ns)) {
    return;
  }
  const bool was_asked = server_.was_asked();  // without scripts nobody reads events
  if (!was_asked && server_.events().readers() == 0) {
    return;
  }
  try {
    show_report(render_());
    trouble_.clear();
  } catch (const std::exception& error) {  // a page must not cost a run
    trouble_ = std::string("the report cannot be made: ") + error.what();
  }
  rendering_.took(begin_ns, monotonic_ns());
}

void LivePage::show_report(std::string html) {
  server_.put(kReport, std::move(html));
  ++reports_;
}

void LivePage::publish() {
  const std::string line = one_line(line_);
  const std::string more = one_line(joined(more_, trouble_));
  const std::int64_t total = std::max<std::int64_t>(1, total_);
  server_.put(kPage,
              report::fill_shell(kLivePageHtml,
                                 {{"title", report::escape_markup("tune run: " + name_)},
                                  {"reload", has_ended_ ? "" : kReload},
                                  {"palette", report::palette_css()},
                                  {"line", report::escape_markup(line)},
                                  {"more", report::escape_markup(more)},
                                  {"done", std::to_string(done_)},
                                  {"total", std::to_string(total)},
                                  {"report", std::to_string(reports_)}}));
  const nlohmann::json state = {{"line", line},
                                {"more", more},
                                {"done", done_},
                                {"total", total},
                                {"report", reports_},
                                {"ended", has_ended_}};
  server_.events().publish(state.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  published_ns_ = monotonic_ns();
}

void LivePage::end(const std::string& how,
                   const std::filesystem::path& file,
                   const std::atomic<int>& stop) {
  constexpr auto kLook = std::chrono::milliseconds(20);
  render_ = nullptr;
  has_ended_ = true;
  line_ = how;
  more_ = file.string();
  std::size_t readers = 0;  // who wait for a report
  try {
    show_report(read_file(file));
    trouble_.clear();
    readers = server_.events().readers();
  } catch (const Error& error) {  // what was shown last stays
    trouble_ = error.what();
  }
  const std::int64_t given_before = server_.times_given(kReport);
  publish();
  server_.events().close();
  const std::int64_t latest_ns = monotonic_ns() + 2 * kNsPerSecond;
  const std::int64_t given = given_before + static_cast<std::int64_t>(readers);
  while (server_.times_given(kReport) < given && stop.load() < 2 && monotonic_ns() < latest_ns) {
    std::this_thread::sleep_for(kLook);
  }
}

std::unique_ptr<LivePage> open_live_page(const RunRequest& request, const std::string& name) {
  const int port = port_of(request.port);
  auto page = std::make_unique<LivePage>(name);
  std::string why;
  if (!page->start(port, why)) {
    refuse_port(port, why);
    return nullptr;
  }
  std::cerr << "live:    " << page->address() << '\n';
  if (!request.quiet) {
    std::cerr << "a browser takes time from what is measured here; from another machine it does "
                 "not, after  ssh -L "
              << page->port() << ":127.0.0.1:" << page->port() << " <this machine>\n";
  }
  return page;
}

}  // namespace tune::cli
