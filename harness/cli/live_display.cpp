#include "cli/live_display.h"

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

}  // namespace tune::cli
