#include "trace/timeline.h"

#include <algorithm>

namespace tune::profile {

namespace {

struct Description {
  std::string_view name, text;
  NoteClass of_class = NoteClass::dropped;
};

// In the order of NoteKind.
constexpr std::array<Description, kNoteKinds> kDescriptions = {{
    {"unreadable-row", "rows that are no JSON, even after mending", NoteClass::dropped},
    {"not-an-object", "elements of traceEvents that are no objects", NoteClass::dropped},
    {"row-without-time", "rows without a time that can be read", NoteClass::dropped},
    {"negative-duration", "rows with a negative duration", NoteClass::dropped},
    {"impossible-duration", "rows longer than the whole trace", NoteClass::dropped},
    {"zero-time", "rows at time 0 in a trace of absolute times", NoteClass::dropped},
    {"begin-without-end", "begins (B) without an end", NoteClass::dropped},
    {"end-without-begin", "ends (E) without a begin", NoteClass::dropped},
    {"beyond-memory-limit", "rows after the part that --memory has room for", NoteClass::dropped},
    {"control-character", "rows with raw control characters in texts", NoteClass::repaired},
    {"invalid-utf8", "rows with bytes that are no UTF-8", NoteClass::repaired},
    {"unescaped-quote", "rows with unescaped quotes in texts", NoteClass::repaired},
    {"wrong-escape", "rows with escapes that JSON does not know", NoteClass::repaired},
    {"not-a-number", "values such as nan, inf or N/A, read as unknown", NoteClass::repaired},
    {"beyond-int64", "numbers beyond 2^63, read as unknown", NoteClass::repaired},
    {"missing-duration", "complete rows (X) without a duration, read as 0", NoteClass::repaired},
    {"truncated-tail", "the last row, cut off by the end of the file", NoteClass::repaired},
    {"python-function", "Python frames (not asked for)", NoteClass::skipped},
    {"call-stack", "call stacks (not asked for)", NoteClass::skipped},
    {"flow", "flow arrows (correlation ids say the same)", NoteClass::skipped},
    {"counter", "counter samples", NoteClass::skipped},
    {"async", "asynchronous spans of other tools", NoteClass::skipped},
    {"instant", "instants other than memory events", NoteClass::skipped},
    {"unknown-phase", "rows of a phase that no definition uses", NoteClass::skipped},
    {"header-value", "values next to traceEvents, more than a profiler writes", NoteClass::skipped},
}};

const Description& description(NoteKind kind) {
  return kDescriptions[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string_view note_name(NoteKind kind) {
  return description(kind).name;
}

std::string_view note_text(NoteKind kind) {
  return description(kind).text;
}

NoteClass note_class(NoteKind kind) {
  return description(kind).of_class;
}

void ReaderNotes::add(NoteKind kind, std::int64_t offset, std::int64_t count) {
  Note& note = notes_[static_cast<std::size_t>(kind)];
  if (note.count == 0) {
    note.first_offset = offset;
  }
  note.count += count;
}

void ReaderNotes::add_category(std::string_view category) {
  constexpr std::size_t kMostNames = 256, kLongestName = 64;
  const std::string name(category.substr(0, kLongestName));
  const auto known = categories_.find(name);
  if (known != categories_.end()) {
    ++known->second;
  } else {
    ++categories_[categories_.size() < kMostNames ? name : "(others)"];
  }
}

std::int64_t ReaderNotes::total(NoteClass of_class) const {
  std::int64_t total = 0;
  for (std::size_t i = 0; i < kNoteKinds; ++i) {
    total += kDescriptions[i].of_class == of_class ? notes_[i].count : 0;
  }
  return total;
}

namespace {

template <class Row>
const Row* row_of(const std::vector<Row>& table, const Event& event, bool is_its_table) {
  return is_its_table && event.detail < table.size() ? &table[event.detail] : nullptr;
}

template <class Row>
std::size_t held(const std::vector<Row>& table) {
  return table.capacity() * sizeof(Row);
}

}  // namespace

const KernelDetail* Timeline::kernel(const Event& event) const {
  return row_of(kernels, event, event.category == Category::kernel);
}

const CopyDetail* Timeline::copy(const Event& event) const {
  return row_of(
      copies, event, event.category == Category::memcpy || event.category == Category::memset);
}

const OpDetail* Timeline::op(const Event& event) const {
  return row_of(ops,
                event,
                event.category == Category::cpu_op || event.category == Category::user_annotation);
}

const SyncDetail* Timeline::sync(const Event& event) const {
  return row_of(syncs, event, event.category == Category::synchronization);
}

bool Timeline::has(Category category) const {
  return std::any_of(events.begin(), events.end(), [category](const Event& event) {
    return event.category == category;
  });
}

std::size_t Timeline::bytes() const {
  return strings.bytes() + held(events) + held(tracks) + held(kernels) + held(copies) +
         held(syncs) + held(ops) + held(frames) + held(collectives) + held(memory);
}

}  // namespace tune::profile
