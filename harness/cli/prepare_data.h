#pragma once

#include "scenario/scenario.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tune::cli {

/// Thrown by `show` to give up; whatever was half made is gone then.
struct PreparationInterrupted {};

/// Data as the trials get them.
struct PreparedData {
  trial::Data data;
  std::vector<std::string> notes;  ///< what is not read of the user's own, a sentence each
};

/// The scenario's data: a generated set is made once into the cache, the user's own folder is
/// listed, the user's own file of tokens is looked at. `show` hears in words how far it is.
/// Throws tune::Error, about the user's own with the place of the scenario that names it.
PreparedData prepare_data(const scenario::Scenario& scenario,
                          const std::function<void(const std::string&)>& show);

/// The user's own data alone, as prepare_data() sees them; what tune makes is left as it is.
PreparedData describe_own_data(const scenario::Scenario& scenario);

/// How many samples an epoch has as far as that is known before the data are prepared: 0 where they
/// are listed first, or only a plug-in knows. Throws tune::Error about the user's own file of
/// tokens as prepare_data() does.
std::int64_t samples_known(const trial::Data& data, const trial::Workload& workload);

}  // namespace tune::cli
