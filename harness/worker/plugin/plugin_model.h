#pragma once

#include "worker/plugin/workload.h"
#include "worker/workload/model.h"

#include <memory>
#include <string>

namespace tune::worker {

/// A plug-in's model behind our interface; `workload` must outlive it, `name` is its library's.
/// Throws std::invalid_argument with a sentence for the user when there is nothing to train.
std::unique_ptr<Model> make_plugin_model(plugin::Workload& workload,
                                         const std::string& name,
                                         bool is_trained);

}  // namespace tune::worker
