#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace tune::cli {

/// The end of what a trial in `folder` has printed, whole lines that a terminal can show; "" where
/// it has printed nothing. A traceback through a framework is longer than what an outcome keeps.
std::string last_words(const std::filesystem::path& folder);

/// To be called now and then while a trial runs in `folder`: prints on standard error where its
/// script is that takes its time to its first step, each line once.
std::function<void()> tell_waits(const std::filesystem::path& folder);

}  // namespace tune::cli
