#pragma once

#include "cli/live_page.h"
#include "cli/run_display.h"

#include <memory>

namespace tune::cli {

/// The display with the page beside it, which is told of trials and preparations alone: nothing
/// that happens within a trial reaches it. The page outlives the display.
std::unique_ptr<RunDisplay> make_live_display(std::unique_ptr<RunDisplay> display, LivePage& page);

}  // namespace tune::cli
