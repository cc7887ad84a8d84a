#include "base/exit_code.h"

#include <algorithm>
#include <array>

namespace tune {

ExitCode worse(ExitCode a, ExitCode b) {
  static constexpr std::array kWorstFirst = {ExitCode::our_bug,
                                             ExitCode::terminated,
                                             ExitCode::interrupted,
                                             ExitCode::hung_up,
                                             ExitCode::wrong_input,
                                             ExitCode::not_available,
                                             ExitCode::incomparable,
                                             ExitCode::negative_verdict,
                                             ExitCode::inconclusive,
                                             ExitCode::partial,
                                             ExitCode::nothing_matched,
                                             ExitCode::fine};
  const auto* found = std::find_if(kWorstFirst.begin(), kWorstFirst.end(), [&](ExitCode code) {
    return code == a || code == b;
  });
  return *found;
}

}  // namespace tune
