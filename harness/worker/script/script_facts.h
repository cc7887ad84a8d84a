#pragma once

#include "trial/knob_catalog.h"
#include "trial/trial_reply.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::script {

/// A line of the user's code.
struct Place {
  std::string file, function;
  std::int64_t line = 0;
  bool operator==(const Place&) const = default;
};

/// A DataLoader that the script made, by its number in notes.
struct LoaderFacts {
  std::optional<Place> place;  ///< where; of the library around it where it is not the user's code
  std::string type, dataset;   ///< names of their classes
  std::optional<std::int64_t> batch_size, num_workers, prefetch_factor, dataset_length;
  std::optional<std::int64_t> epoch_samples;
  std::optional<bool> pin_memory, persistent_workers, in_order;
  bool is_stream = false;        ///< an IterableDataset
  bool fetches_batches = false;  ///< its dataset has __getitems__
  bool operator==(const LoaderFacts&) const = default;
};

/// An optimizer that the script made.
struct OptimizerFacts {
  std::optional<Place> place;
  std::string type;
  std::optional<bool> fused, foreach;  ///< as it was asked for; nothing: torch chooses
  bool operator==(const OptimizerFacts&) const = default;
};

/// A model whose parameters an optimizer updates.
struct ModelFacts {
  std::string type, device, dtype;  ///< dtype: "torch.float32", of its first parameter
  std::int64_t parameters = 0;
  std::optional<bool> channels_last;     ///< nothing: no parameter has four dimensions
  std::optional<bool> compiled;          ///< by torch.compile
  std::optional<double> denormal_ratio;  ///< of its numbers; nothing: none is a float32 on a CPU
  std::optional<double> unused_gradient_ratio;  ///< of the numbers that get gradients
  bool operator==(const ModelFacts&) const = default;
};

/// What torch says of itself after warm-up; "" or nothing where it does not say.
struct ObservedFlags {
  std::optional<bool> cudnn_benchmark, deterministic;
  std::optional<std::int64_t> intra_op_threads, inter_op_threads;
  std::string tf32, matmul_precision, sdpa, amp;
  std::string compile;  ///< the mode that the script itself asked for
};

/// The loss that backward pass `backward`, from 1 on, began with.
struct SeenLoss {
  std::int64_t backward = 0;
  double value = 0;
  bool operator==(const SeenLoss&) const = default;
};

/// Parts of the first steps of the window as the GPU saw them, summed.
struct GpuParts {
  std::int64_t steps = 0;
  trial::PhaseSums phases;
};

/// Python's garbage collector since the window began.
struct CollectorFacts {
  std::int64_t collections = 0, took_ns = 0, of_ns = 0;
};

/// JPEGs that Pillow decoded in the process that trains, since the window began.
struct ImageFacts {
  std::int64_t images = 0, took_ns = 0, of_ns = 0;  ///< decoding and resizing
  std::int64_t pixels = 0, kept_pixels = 0;         ///< before all resizing, and after it
};

/// facts.<rank>.json: what the agent saw of a script. tune_agent/facts.py writes it.
struct ScriptFacts {
  std::string how;                 ///< measuring | measured | ended (by itself) | no-step
  std::string attached;            ///< the way in: sitecustomize | torch.backends
  std::string python, torch;       ///< versions; torch "" where it was never imported
  std::string executable, folder;  ///< sys.executable; the working folder
  std::int64_t rank = 0, world = 1;
  std::int64_t peak_memory_bytes = 0;
  std::vector<LoaderFacts> loaders;
  trial::KnobSettings applied;
  std::vector<trial::IgnoredKnob> ignored;
  std::vector<trial::ResistedKnob> resisted;
  std::vector<OptimizerFacts> optimizers;
  std::vector<ModelFacts> models;
  ObservedFlags flags;
  std::string onednn_isa;                  ///< ONEDNN_MAX_CPU_ISA of its process; "" without it
  std::optional<Place> forward, backward;  ///< the first calls of the user's code
  std::vector<std::string> written;        ///< paths of files, "os.remove <path>"; where watched
  std::string trace, no_trace;             ///< file of recorded steps; why there is none
  std::vector<SeenLoss> losses;
  std::optional<GpuParts> gpu_parts;        ///< nothing: on a CPU, or the window has not ended yet
  std::optional<CollectorFacts> collector;  ///< nothing before the window
  std::optional<ImageFacts> jpegs;          ///< nothing where none was decoded
  std::vector<bool> profiled;  ///< at each end of the window: does the script's own profiler run?
  std::optional<trial::Failure> failure;  ///< its own exception, at the end
  std::vector<std::string> problems;      ///< errors of the agent itself
};

/// Why the knob `preload` is sure to be refused; "" where its samples can be tried, and without a
/// loader. A dataset that makes or fetches whole batches is never asked for the samples that were
/// kept.
std::string why_not_preloaded(const LoaderFacts* loader);

/// The first loader that feeds steps, else the only one; null where neither is there.
const LoaderFacts* training_loader(const ScriptFacts& facts,
                                   const std::vector<std::int64_t>& training_loaders);

/// What is in effect of the knobs of the catalogue, as far as it was seen. `training_loaders`: the
/// numbers of those that feed steps.
trial::KnobSettings settings_in_effect(const ScriptFacts& facts,
                                       const std::vector<std::int64_t>& training_loaders);

/// Throws tune::Error naming `where` and the field where the text cannot be from an agent of this
/// version. The script may have changed anything, and the process may have been killed.
ScriptFacts parse_script_facts(std::string_view text, const std::string& where);

/// The share of the numbers of all models that is float64, by the type of each model's first
/// parameter. Nothing where no model says its type.
std::optional<double> double_parameter_ratio(const std::vector<ModelFacts>& models);

}  // namespace tune::script
