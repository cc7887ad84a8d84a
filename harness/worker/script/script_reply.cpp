#include "worker/script/script_reply.h"

#include "machine/user_folders.h"
#include "worker/measured_window.h"
#include "worker/script/ranks_compared.h"
#include "worker/script/script_disturbance.h"
#include "worker/script/slices.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace tune::script {

namespace {

bool counts_samples(const std::vector<trial::Slice>& slices) {
  return std::all_of(
      slices.begin(), slices.end(), [](const trial::Slice& slice) { return slice.samples > 0; });
}

std::size_t nearest(const std::vector<Step>& steps, std::int64_t end_ns) {
  const auto after =
      std::lower_bound(steps.begin(), steps.end(), end_ns, [](const Step& step, std::int64_t end) {
        return step.end_ns < end;
      });
  if (after == steps.begin()) {
    return 0;
  }
  const auto before = after - 1;
  const bool is_after = after != steps.end() && after->end_ns - end_ns < end_ns - before->end_ns;
  return static_cast<std::size_t>((is_after ? after : before) - steps.begin());
}

// Ranks that wait for one another take as many steps; else what ends within a slice is of it.
void add_samples(std::span<const Step> window,
                 const std::vector<Step>& steps,
                 std::vector<trial::Slice>& slices) {
  if (window.empty() || steps.empty()) {
    return;
  }
  std::size_t next = nearest(steps, window.front().end_ns);
  const std::size_t last = nearest(steps, window.back().end_ns);
  const std::size_t count = last + 1 - std::min(next, last + 1);
  const bool is_in_step = count + 1 >= window.size() && count <= window.size() + 1;
  for (trial::Slice& slice : slices) {
    const std::int64_t end_ns = slice.start_ns + slice.wall_ns;
    for (std::int64_t i = 0; is_in_step && i < slice.steps && next < steps.size(); ++i) {
      slice.samples += steps[next++].samples;
    }
    for (std::size_t i = 0; !is_in_step && i < steps.size(); ++i) {
      const bool is_inside = steps[i].end_ns > slice.start_ns && steps[i].end_ns <= end_ns;
      slice.samples += is_inside ? steps[i].samples : 0;
    }
  }
}

// Each rank takes its part of the data.
std::optional<std::int64_t> epoch_samples(const std::vector<const GroupedNotes*>& ranks) {
  std::int64_t samples = 0;
  for (const GroupedNotes* const rank : ranks) {
    if (!rank->epoch_samples) {
      return std::nullopt;
    }
    samples += *rank->epoch_samples;
  }
  return samples > 0 ? std::optional(samples) : std::nullopt;
}

void keep_slices(const trial::TrialSpec& spec,
                 const ScriptEvidence& evidence,
                 trial::TrialReply& reply) {
  reply.slices = window_slices(
      *evidence.ranks.front(), spec.measure, evidence.has_ended || evidence.ends_at_line);
  for (std::size_t i = 0; i < reply.slices.size() && i < evidence.disturbances.size(); ++i) {
    reply.slices[i].disturbance = evidence.disturbances[i];
  }
  std::size_t steps = 0;
  for (const trial::Slice& slice : reply.slices) {
    steps += static_cast<std::size_t>(slice.steps);
  }
  const auto window = steps_between(*evidence.ranks.front(), kWindowBegins, kWindowEnds);
  for (std::size_t rank = 1; rank < evidence.ranks.size(); ++rank) {
    add_samples(
        window.first(std::min(steps, window.size())), evidence.ranks[rank]->steps, reply.slices);
  }
  if (!counts_samples(reply.slices)) {
    for (trial::Slice& slice : reply.slices) {
      slice.samples = slice.steps;
    }
  }
}

// The parts of a step in the proportions in which the GPU spent them: the host, which runs ahead of
// it, says how long a step takes, but not where.
trial::PhaseSums on_gpu(const trial::PhaseSums& host, const trial::PhaseSums& gpu) {
  const std::int64_t all_ns = gpu.total_ns();
  if (all_ns <= 0) {
    return host;
  }
  const double ratio = static_cast<double>(host.total_ns()) / static_cast<double>(all_ns);
  const auto scaled = [&](std::int64_t part_ns) {
    return static_cast<std::int64_t>(static_cast<double>(part_ns) * ratio);
  };
  trial::PhaseSums parts{.data_wait_ns = scaled(gpu.data_wait_ns),
                         .transfer_ns = scaled(gpu.transfer_ns),
                         .forward_ns = scaled(gpu.forward_ns),
                         .backward_ns = scaled(gpu.backward_ns),
                         .optimizer_ns = scaled(gpu.optimizer_ns)};
  parts.other_ns = host.total_ns() - parts.total_ns();
  return parts;
}

void keep_steps(const GroupedNotes& notes,
                const std::optional<ScriptFacts>& facts,
                trial::TrialReply& reply) {
  const std::size_t most = std::min(notes.steps.size(), worker::kMostSteps);
  for (std::size_t i = 0; i < most; ++i) {
    reply.step_ns.push_back(notes.steps[i].wall_ns());
  }
  const auto window = steps_between(notes, kWindowBegins, kWindowEnds);
  reply.warmup_steps = window.empty() ? 0 : window.data() - notes.steps.data();
  std::size_t in_slices = 0;
  for (const trial::Slice& slice : reply.slices) {
    in_slices += static_cast<std::size_t>(slice.steps);
  }
  for (const Step& step : window.first(std::min({in_slices, worker::kMostSteps, window.size()}))) {
    const bool is_on_gpu = facts && facts->gpu_parts;
    reply.step_phases.push_back(is_on_gpu ? on_gpu(step.phases, facts->gpu_parts->phases)
                                          : step.phases);
  }
  constexpr std::size_t kMostEpochs = 1'000;
  for (std::size_t i = 1; i < most && reply.epoch_begins.size() < kMostEpochs; ++i) {
    if (notes.steps[i].epochs_begun > 0) {
      reply.epoch_begins.push_back(
          {static_cast<std::int64_t>(i), notes.steps[i].phases.data_wait_ns});
    }
  }
}

void keep_facts(const ScriptFacts& facts, trial::TrialReply& reply) {
  reply.facts.torch_version = facts.torch;
  for (const ModelFacts& model : facts.models) {
    reply.parameters += model.parameters;
    if (model.device.starts_with("cuda")) {
      reply.facts.device = "cuda";
    }
  }
  reply.facts.intra_op_threads = facts.flags.intra_op_threads.value_or(0);
  reply.peak_memory_bytes = facts.peak_memory_bytes;
  reply.ignored_knobs = facts.ignored;
  for (const SeenLoss& loss : facts.losses) {
    reply.losses.push_back({loss.backward, loss.value});
  }
}

void keep_place(const char* what,
                const std::optional<Place>& place,
                std::vector<trial::ScriptPlace>& places) {
  constexpr std::size_t kMost = 100;  // a loader for each epoch is made at one place
  if (!place || places.size() >= kMost) {
    return;
  }
  if (std::ranges::none_of(places, [&](const auto& known) {
        return known.what == what && known.file == place->file && known.line == place->line;
      })) {
    places.push_back({what, place->file, place->function, place->line});
  }
}

std::vector<trial::ScriptPlace> places_of(const ScriptFacts& facts,
                                          const std::vector<std::int64_t>& training_loaders) {
  std::vector<trial::ScriptPlace> places;
  for (const std::int64_t number : training_loaders) {
    if (number < static_cast<std::int64_t>(facts.loaders.size())) {
      keep_place("loader", facts.loaders[static_cast<std::size_t>(number)].place, places);
    }
  }
  for (const OptimizerFacts& optimizer : facts.optimizers) {
    keep_place("optimizer", optimizer.place, places);
  }
  keep_place("forward", facts.forward, places);
  keep_place("backward", facts.backward, places);
  return places;
}

// "" where there is none, or where they differ.
std::string optimizer_of(const std::vector<OptimizerFacts>& optimizers) {
  return optimizers.empty() ||
                 std::ranges::count(optimizers, optimizers.front().type, &OptimizerFacts::type) <
                     std::ssize(optimizers)
             ? ""
             : optimizers.front().type;
}

void add_once(const std::string& note, std::vector<std::string>& notes) {
  constexpr std::size_t kMost = 100;
  if (notes.size() < kMost && std::find(notes.begin(), notes.end(), note) == notes.end()) {
    notes.push_back(note);
  }
}

// At most 1: the agent's clocks overlap by a few ns.
double share_of(std::int64_t whole, std::int64_t part) {
  return std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
}

std::string steps_text(std::size_t steps) {
  return std::to_string(steps) + (steps == 1 ? " step" : " steps");
}

}  // namespace

std::vector<trial::Slice> window_slices(const GroupedNotes& notes,
                                        const trial::Measure& measure,
                                        bool has_ended) {
  const auto window = steps_between(notes, kWindowBegins, kWindowEnds);
  std::vector<trial::Slice> slices = slices_of(window, measure);
  if (has_ended && slices.empty() && !window.empty()) {
    trial::Measure all = measure;
    all.slices = 1;
    all.slice_ns = 1;
    all.slice_steps = std::ssize(window);
    slices = slices_of(window, all);
  }
  return slices;
}

trial::TrialReply measured_reply(const trial::TrialSpec& spec, const ScriptEvidence& evidence) {
  trial::TrialReply reply;
  reply.id = spec.id;
  const std::vector<int> cpus = usable_cpus(spec);
  reply.facts.cpus.assign(cpus.begin(), cpus.end());
  keep_slices(spec, evidence, reply);
  keep_steps(*evidence.ranks.front(), evidence.facts, reply);
  if (evidence.facts) {
    keep_facts(*evidence.facts, reply);
  }
  reply.script = seen_script(evidence);
  const auto window = steps_between(*evidence.ranks.front(), kWindowBegins, kWindowEnds);
  const bool has_samples =
      std::all_of(window.begin(), window.end(), [](const Step& step) { return step.samples > 0; });
  if (has_samples) {  // else each step is taken for a sample
    reply.script->epoch_samples = epoch_samples(evidence.ranks);
  }
  const std::int64_t slices = std::ssize(reply.slices);
  if ((evidence.has_ended || evidence.ends_at_line) && slices < spec.measure.slices) {
    add_once(std::string(evidence.has_ended ? "the script ended in its measured window"
                                            : "the line of 'stop' ended the measured window") +
                 ", which has " + std::to_string(slices) + (slices == 1 ? " slice" : " slices") +
                 " in place of " + std::to_string(spec.measure.slices),
             reply.script->notes);
  }
  return reply;
}

trial::SeenScript seen_script(const ScriptEvidence& evidence) {
  constexpr std::size_t kMostLoaders = 1'000;  // frameworks make one an epoch
  trial::SeenScript seen;
  seen.ranks = std::max<std::int64_t>(1, std::ssize(evidence.ranks));
  std::vector<std::int64_t> loaders;
  if (!evidence.ranks.empty()) {
    const GroupedNotes& notes = *evidence.ranks.front();
    loaders = notes.training_loaders;
    loaders.resize(std::min(loaders.size(), kMostLoaders));
    seen.training_loaders = loaders;
    for (const Step& step : notes.steps) {
      seen.evaluation_ns += step.outside.evaluation_ns;
      seen.checkpoint_ns += step.outside.checkpoint_ns;
      seen.pause_ns += step.outside.pause_ns;
    }
    seen.evaluation_ratio = evaluation_ratio(notes);
    if (notes.evaluations > 0) {
      seen.evaluates_with_gradients = notes.evaluates_with_gradients;
    }
    if (const std::string question = what_to_count(notes);
        !question.empty() && !notes.steps.empty()) {
      add_once(question + ": a sample is a step here", seen.notes);
    }
  }
  for (const std::string& note : stragglers(evidence.ranks)) {
    add_once(note, seen.notes);
  }
  for (const std::string& note : evidence.notes) {
    add_once(note, seen.notes);
  }
  if (evidence.has_ended && !evidence.ranks.empty()) {
    seen.ended_after_steps = std::ssize(evidence.ranks.front()->steps);
  }
  if (const auto& facts = evidence.facts) {
    seen.python = facts->python;
    seen.applied = facts->applied;
    seen.resisted = facts->resisted;
    seen.written = facts->written;
    seen.observed = settings_in_effect(*facts, loaders);
    seen.no_preload = why_not_preloaded(training_loader(*facts, loaders));
    seen.places = places_of(*facts, loaders);
    seen.optimizer = optimizer_of(facts->optimizers);
    seen.onednn_isa = facts->onednn_isa;
    seen.double_parameter_ratio = double_parameter_ratio(facts->models);
    for (const ModelFacts& model : facts->models) {
      seen.denormal_ratio = std::max(seen.denormal_ratio, model.denormal_ratio);
      seen.unused_gradient_ratio =
          std::max(seen.unused_gradient_ratio, model.unused_gradient_ratio);
    }
    if (const auto& collector = facts->collector; collector && collector->of_ns > 0) {
      seen.collector_ratio = share_of(collector->of_ns, collector->took_ns);
    }
    if (const auto& jpegs = facts->jpegs; jpegs && jpegs->of_ns > 0) {
      seen.jpeg_time_ratio = share_of(jpegs->of_ns, jpegs->took_ns);
      if (jpegs->pixels > 0) {
        seen.kept_pixel_ratio = share_of(jpegs->pixels, jpegs->kept_pixels);
      }
    }
    if (const auto& looks = facts->profiled; !looks.empty()) {
      seen.profiler_ratio = static_cast<double>(std::count(looks.begin(), looks.end(), true)) /
                            static_cast<double>(looks.size());
    }
    if (const std::string note = missing_ranks(evidence.ranks, facts->world); !note.empty()) {
      add_once(note, seen.notes);
    }
    for (const std::string& problem : facts->problems) {
      add_once(problem, seen.notes);
    }
  }
  return seen;
}

// Nothing failed, and there is no step.
static std::string why_no_step(const ScriptEvidence& evidence) {
  const auto& facts = evidence.facts;
  if (!evidence.has_begun) {
    return "the command ended well, and tune's agent was never loaded: it runs no Python, one "
           "that ignores PYTHONPATH, or one of another user";
  }
  if (!facts) {
    return "the script ended before its first step and without Python's own end: it left by "
           "os._exit, or continued in the background, where it is ended";
  }
  if (facts->torch.empty()) {
    return "the script ended without importing torch";
  }
  return evidence.ranks.empty()
             ? "the script made no step of an optimizer: if it only computes, say --count batches, "
               "in a scenario 'count: batches'"
             : what_to_count(*evidence.ranks.front());
}

trial::Failure script_failure(const ScriptEvidence& evidence, const std::string& how_it_ended) {
  const std::size_t steps = evidence.ranks.empty() ? 0 : evidence.ranks.front()->steps.size();
  const std::string when = steps == 0 ? "before its first step" : "after " + steps_text(steps);
  const auto& facts = evidence.facts;
  if (facts && facts->failure) {
    const bool has_read = facts->failure->message.starts_with("EOFError");
    return {facts->failure->kind,
            "the script failed " + when + ": " + facts->failure->message +
                (has_read ? " (standard input is empty in a trial)" : "")};
  }
  if (how_it_ended == "SIGKILL") {
    return {"out-of-memory", "out-of-memory (probable): the script was killed by SIGKILL " + when};
  }
  if (!how_it_ended.empty()) {
    return {"threw", "the script ended with " + how_it_ended + " " + when};
  }
  return {"refused",
          steps == 0 ? why_no_step(evidence)
                     : "the script ended after " + steps_text(steps) +
                           ", before its window was measured: give it more epochs, or ask for less "
                           "(measure: {slices: 3, slice: 200ms, warmup: 2})"};
}

trial::Failure other_user_failure(std::int64_t user) {
  return {"refused",
          "the script runs as another user, whom tune cannot watch: run tune as " +
              machine::user_name(user)};
}

trial::Failure line_failure(const ScriptEvidence& evidence) {
  const std::size_t steps = evidence.ranks.empty() ? 0 : evidence.ranks.front()->steps.size();
  return {"refused",
          "the line of 'stop' was printed after " + steps_text(steps) +
              ", before a step of the measured window was complete: name a later line, or warm up "
              "less (measure: {warmup: 2})"};
}

std::vector<std::int64_t> recorded_steps_ns(const GroupedNotes& notes, std::int64_t active) {
  const std::size_t to = std::min(notes.recorded_to, notes.steps.size());
  const auto kept = static_cast<std::size_t>(active);
  const std::size_t from = std::max(notes.recorded_from, to > kept ? to - kept : 0);
  std::vector<std::int64_t> steps_ns;
  for (std::size_t i = from; i < to; ++i) {
    steps_ns.push_back(notes.steps[i].wall_ns());
  }
  return steps_ns;
}

}  // namespace tune::script
