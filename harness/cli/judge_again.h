#pragma once

#include "base/error.h"
#include "cli/gate_request.h"

namespace tune::cli {

/// `tune gate --run DIR`: judges once more what a gate measured, or the baseline of a run against a
/// stored one. Starts no process and needs no lock; writes into a folder of its own,
/// DIR/judged-1, -2, ... or what -o says.
///
/// Without FILE the rules are those of then, but for what flags change; with FILE they are what its
/// `gate:` says today. Throws tune::Error for a directory or flags that make no sense, and
/// gate::Incomparable for what cannot be judged.
ExitCode judge_again(GateRequest request);

}  // namespace tune::cli
