#include "worker/script/step_grouper.h"

#include "base/assert.h"

#include <algorithm>

namespace tune::script {

namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::int64_t kMostPassesOfABatch = 32;  // each after an update; ours

bool begins_something(NoteKind kind) {
  return kind == NoteKind::ask || kind == NoteKind::iterate || kind == NoteKind::call ||
         kind == NoteKind::back || kind == NoteKind::step;
}

}  // namespace

void StepGrouper::switch_to(Part part, std::int64_t moment) {
  parts_[part_] += moment - last_ns_;
  last_ns_ = moment;
  part_ = part;
}

void StepGrouper::commit(std::int64_t moment) {
  switch_to(other, moment);
  step_.end_ns = moment;
  step_.phases = {parts_[wait],
                  parts_[transfer],
                  parts_[forward],
                  parts_[backward],
                  parts_[optimizer],
                  parts_[other]};
  step_.outside = {parts_[evaluation], parts_[checkpoint], parts_[pause], parts_[ours]};
  TUNE_ASSERT(step_.phases.total_ns() == step_.wall_ns());
  if (!is_broken_) {
    result_.steps.push_back(step_);
  }
  step_ = {.begin_ns = moment};
  parts_ = {};
  stepped_ = is_broken_ = false;
  snapshot_.reset();  // it is of the step before
  demoted_.reset();
}

void StepGrouper::add(const Note& note) {
  // Moments that fall would be parts below zero.
  Note at = note;
  at.moment_ns = std::max(note.moment_ns, last_ns_);
  if (!has_begun_) {  // what comes before the first step is the set-up
    has_begun_ = begins_something(note.kind);
    last_ns_ = step_.begin_ns = at.moment_ns;
  }
  switch (note.kind) {
    case NoteKind::ask:
      return ask(at);
    case NoteKind::got:
      return got(at);
    case NoteKind::end:
      return end(at);
    case NoteKind::iterate:
      return iterate(at);
    case NoteKind::fetched:
      return fetched(at);
    case NoteKind::call:
      return call(at);
    case NoteKind::back:
      return back(at);
    case NoteKind::back_end:
      return back_end(at);
    case NoteKind::step_end:
      return step_end(at);
    case NoteKind::mark:
      return mark(at);
    case NoteKind::lost:
      return lose(at);
    case NoteKind::step:
      ++in_optimizer_;
      return switch_to(optimizer, at.moment_ns);
    case NoteKind::grad:
      return enter(backward, at);
    case NoteKind::clear:
      return enter(optimizer, at);
    case NoteKind::save:
      return enter(checkpoint, at);
    case NoteKind::grad_end:
    case NoteKind::clear_end:
    case NoteKind::save_end:
      return leave(at);
    case NoteKind::loader:
      loaders_[at.subject].batch_size = at.number;
      return;
    case NoteKind::epoch:
      loaders_[at.subject].epoch_samples = at.number;
      return;
    case NoteKind::record:
      result_.recorded_from = result_.steps.size();
      return;
    case NoteKind::record_end:
      result_.recorded_to = result_.steps.size();
      return;
    case NoteKind::optimizer:
      result_.has_optimizer = result_.has_optimizer || !is_unseen_;
      return;
    case NoteKind::unseen:
      is_unseen_ = true;
      result_.has_optimizer = false;
      return;
  }
}

// ---------------------------------------------------------------------------------- loaders

void StepGrouper::ask(const Note& note) {
  if (stepped_ || (by_batch_ && step_.batches > 0)) {
    commit(note.moment_ns);
  }
  demote_broken_off(note);
  passes_since_asked_ = 0;
  is_evaluated_ = loaders_[note.subject].evaluates;
  if (is_evaluated_) {
    switch_to(evaluation, note.moment_ns);
    snapshot_.reset();
    return;
  }
  switch_to(wait, note.moment_ns);
  is_exhausted_ = false;
  const SeenLoader& loader = loaders_[note.subject];
  if (loader.trains || !snapshot_ || snapshot_->loader != note.subject) {
    keep_snapshot(note);
  }
}

void StepGrouper::keep_snapshot(const Note& note) {
  snapshot_ = {
      note.moment_ns, parts_, loaders_[note.subject].waiting.size(), step_.batches, note.subject};
  demoted_.reset();
  is_called_ = false;
}

void StepGrouper::got(const Note& note) {
  const std::int64_t size = loaders_[note.subject].size_of_next(note.number);
  result_.has_loader = true;
  if (is_evaluated_) {
    return;
  }
  switch_to(transfer, note.moment_ns);
  ++step_.batches;
  if (by_batch_) {
    step_.samples += size;
    return;
  }
  loaders_.push(note.subject, size);
  batch_samples_ = std::max(batch_samples_, size);
  if (!note.with_gradients()) {
    demote(note.moment_ns);
  }
}

// Whether the loader of the snapshot has never had a backward pass.
bool StepGrouper::is_only_looked_at() {
  return snapshot_ && !loaders_[snapshot_->loader].trains && !demoted_ && !by_batch_;
}

// A training loader continues after another one has given batches to the model for no backward
// pass: the script broke out of its validation. A single batch may be for the step that comes.
void StepGrouper::demote_broken_off(const Note& note) {
  constexpr std::size_t kLeastBatches = 2;
  if (is_only_looked_at() && is_called_ && loaders_[note.subject].trains &&
      loaders_[snapshot_->loader].waiting.size() >= snapshot_->waiting + kLeastBatches) {
    demote(note.moment_ns);
    result_.evaluates_with_gradients = true;
  }
}

// What comes between two epochs is not part of a step.
StepGrouper::Part StepGrouper::after_batches() const {
  return is_exhausted_ && !keeps_batches_ && !loaders_.any_waits() ? pause : other;
}

void StepGrouper::end(const Note& note) {
  const SeenLoader& loader = loaders_[note.subject];
  if (is_only_looked_at() && snapshot_->loader == note.subject) {
    demote(note.moment_ns);
    result_.evaluates_with_gradients = result_.evaluates_with_gradients || is_called_;
  } else {
    snapshot_.reset();
  }
  is_exhausted_ = loader.trains;
  switch_to(loader.evaluates ? pause : after_batches(), note.moment_ns);
}

void StepGrouper::iterate(const Note& note) {
  loaders_.begin_epoch(note.subject, note.number);
  const SeenLoader& loader = loaders_[note.subject];
  if (stepped_) {
    commit(note.moment_ns);
  }
  demote_broken_off(note);
  if (loader.evaluates) {
    ++result_.evaluations;
  } else {
    step_.epochs_begun = 1;
  }
  switch_to(loader.evaluates ? evaluation : wait, note.moment_ns);
  if (!loader.evaluates && !loader.trains) {
    keep_snapshot(note);  // should it evaluate, the start of its workers is a part of that
  }
}

void StepGrouper::fetched(const Note& note) {
  loaders_.push(note.subject, loaders_[note.subject].size_of_next(note.number));
  is_background_ = result_.has_loader = true;
}

// The batch is looked at without gradients: what came since it was asked for is not part of one.
void StepGrouper::demote(std::int64_t moment) {
  if (!snapshot_) {
    return;
  }
  SeenLoader& loader = loaders_[snapshot_->loader];
  demoted_ = {{}, step_.batches};
  while (loader.waiting.size() > snapshot_->waiting) {
    demoted_->sizes.push_back(loader.waiting.back());
    loader.waiting.pop_back();
  }
  step_.batches = snapshot_->batches;
  switch_to(evaluation, moment);
  parts_ = snapshot_->parts;
  parts_[evaluation] += moment - snapshot_->begin_ns;
  if (!loader.trains && !loader.evaluates) {
    loader.evaluates = true;
    ++result_.evaluations;
    step_.epochs_begun = 0;
  }
}

void StepGrouper::promote(std::int64_t moment) {
  if (snapshot_) {
    SeenLoader& loader = loaders_[snapshot_->loader];
    loader.waiting.insert(loader.waiting.end(), demoted_->sizes.rbegin(), demoted_->sizes.rend());
    step_.batches = demoted_->batches;
    switch_to(forward, moment);
    parts_ = snapshot_->parts;
    parts_[forward] += moment - snapshot_->begin_ns;
    result_.evaluations -= loader.evaluates ? 1 : 0;
    result_.evaluates_with_gradients = false;
    loader.evaluates = false;
  }
  demoted_.reset();
}

// ---------------------------------------------------------------------------------- passes

void StepGrouper::call(const Note& note) {
  const bool counts_calls = by_batch_ && !result_.has_loader;
  if (counts_calls && step_.batches > 0) {
    commit(note.moment_ns);
  }
  if (!note.with_gradients() && !by_batch_) {
    if (snapshot_ && !demoted_) {
      demote(note.moment_ns);
    } else if (stepped_ && !trains_) {
      commit(note.moment_ns);
      switch_to(evaluation, note.moment_ns);
    }
    return;
  }
  if (is_evaluated_) {
    return;
  }
  if (stepped_ && (is_background_ || !trains_)) {
    commit(note.moment_ns);  // a script without a loader, or with one in another thread
  }
  is_called_ = true;
  switch_to(forward, note.moment_ns);
  if (counts_calls) {
    ++step_.batches;
    step_.samples += std::max(note.number, 0);
  } else {
    call_rows_ = std::max<std::int64_t>(call_rows_, note.number);
  }
}

void StepGrouper::back(const Note& note) {
  is_evaluated_ = false;
  if (stepped_ && trains_ && !is_background_ && in_optimizer_ == 0 &&
      ++passes_since_asked_ > kMostPassesOfABatch) {
    keeps_batches_ = true;
    trains_ = false;
    give_up_step();  // these passes were not one
  }
  if (stepped_ && !trains_ && !loaders_.any_was_pulled()) {
    commit(note.moment_ns);  // neither a loader nor a call: a policy whose methods are called
  }
  if (demoted_) {
    promote(note.moment_ns);
  }
  if (loaders_.any_was_pulled()) {
    snapshot_.reset();
  }
  const std::int64_t samples = loaders_.take_samples(trains_);
  step_.samples += keeps_batches_ ? 0 : samples;
  trains_ = trains_ && !keeps_batches_;
  // A closure is called several times for one update.
  pass_rows_ = in_optimizer_ > 0 ? std::max(pass_rows_, call_rows_) : pass_rows_ + call_rows_;
  call_rows_ = 0;
  switch_to(backward, note.moment_ns);
}

void StepGrouper::update() {
  if (!result_.has_loader || keeps_batches_) {
    pass_rows_ = pass_rows_ == 0 && keeps_batches_ ? batch_samples_ : pass_rows_;
    step_.samples = std::max(step_.samples, pass_rows_);
  }
  pass_rows_ = 0;
  stepped_ = true;
}

void StepGrouper::give_up_step() {
  loaders_.forget_batches();
  snapshot_.reset();
  demoted_.reset();
  is_broken_ = true;
}

void StepGrouper::back_end(const Note& note) {
  switch_to(in_optimizer_ > 0 ? optimizer : other, note.moment_ns);
  if (!result_.has_optimizer) {
    update();
  }
}

void StepGrouper::step_end(const Note& note) {
  result_.has_optimizer = true;
  in_optimizer_ = std::max<std::int64_t>(0, in_optimizer_ - 1);
  ++step_.optimizer_steps;
  ++result_.optimizer_steps;
  update();
  switch_to(after_batches(), note.moment_ns);
}

void StepGrouper::enter(Part part, const Note& note) {
  if (around_.size() < kDeepest) {
    around_.push_back(part_);
  }
  if (part_ < evaluation || part >= evaluation) {
    switch_to(part, note.moment_ns);
  }
}

void StepGrouper::leave(const Note& note) {
  const Part part = around_.empty() ? other : around_.back();
  if (!around_.empty()) {
    around_.pop_back();
  }
  switch_to(part, note.moment_ns);
}

// ---------------------------------------------------------------------------------- tune

void StepGrouper::mark(const Note& note) {
  if (note.begins()) {
    if (stepped_) {
      commit(note.moment_ns);
    }
    return enter(ours, note);
  }
  leave(note);
  result_.marks.push_back({note.number, note.moment_ns, result_.steps.size()});
}

// Nobody knows what was in between: neither this step nor what is left of the next one counts.
void StepGrouper::lose(const Note& note) {
  result_.lost_notes = note.number;
  give_up_step();
  around_.clear();
  in_optimizer_ = 0;
  switch_to(other, note.moment_ns);
  parts_ = {};
  step_ = {.begin_ns = note.moment_ns};
  stepped_ = false;
}

const GroupedNotes& StepGrouper::result() {
  result_.training_loaders = keeps_batches_ ? std::vector<std::int64_t>() : loaders_.training();
  result_.evaluating_loaders = loaders_.evaluating();
  result_.epoch_samples = loaders_.samples_of_training();
  return result_;
}

GroupedNotes group_steps(std::span<const Note> notes, bool by_batch) {
  StepGrouper grouper(by_batch);
  std::ranges::for_each(notes, [&](const Note& note) { grouper.add(note); });
  return grouper.result();
}

}  // namespace tune::script
