#include "trace/reader/read_trace.h"

#include "base/error.h"
#include "trace/reader/document_reader.h"
#include "trace/reader/drop_rows.h"
#include "trace/reader/header_values.h"
#include "trace/reader/other_format.h"
#include "trace/reader/text_window.h"
#include "trace/steps.h"

#include <algorithm>
#include <cstdlib>

namespace tune::profile {

namespace {

constexpr std::int64_t kRowsOfEstimate = 20'000;
constexpr const char* kWhatIsRead =
    "name a file that torch.profiler's export_chrome_trace or tensorboard_trace_handler wrote";

// Room for all rows at once: a table that grows by copying takes twice its size while it does.
class Expectation {
 public:
  Expectation(const ByteSource& source, TimelineBuilder& builder, std::int64_t file_bytes)
      : source_(source), builder_(builder), file_bytes_(file_bytes) {}

  void after_row(std::int64_t rows) {
    if (rows != kRowsOfEstimate || source_.file_bytes() <= 0) {
      return;
    }
    const double share =
        static_cast<double>(file_bytes_) / static_cast<double>(source_.file_bytes());
    builder_.expect_rows(static_cast<std::int64_t>(static_cast<double>(rows) * share));
  }

 private:
  const ByteSource& source_;
  TimelineBuilder& builder_;
  std::int64_t file_bytes_;
};

// Rows of a profiler: a known category, memory events, or what was skipped on purpose.
bool is_of_pytorch(const Timeline& timeline) {
  const bool has_row =
      std::any_of(timeline.events.begin(), timeline.events.end(), [](const Event& event) {
        return event.category != Category::other;
      });
  const auto& other = timeline.notes.other_categories();
  const bool has_known = std::any_of(
      other.begin(), other.end(), [](const auto& entry) { return is_known_category(entry.first); });
  return has_row || has_known || !timeline.memory.empty() ||
         timeline.notes.of(NoteKind::python_function).count > 0;
}

// Only that the profiler ran, and perhaps that a step began: the span that it writes of itself.
bool is_empty_recording(const Timeline& timeline) {
  const auto is_mark = [&](const Event& event) {
    return event.category == Category::span || marks_step(timeline.name(event));
  };
  const ReaderNotes& notes = timeline.notes;
  return timeline.has(Category::span) && timeline.memory.empty() &&
         notes.of(NoteKind::python_function).count == 0 && notes.total(NoteClass::dropped) == 0 &&
         notes.other_categories().empty() &&
         std::all_of(timeline.events.begin(), timeline.events.end(), is_mark);
}

// Whether a row before it has the same name, track and time; events are by time.
bool is_repeated(const std::vector<Event>& events, std::size_t at) {
  constexpr std::size_t kFarthest = 8;  // rows that begin and end together are few
  const Event& row = events[at];
  for (std::size_t before = 1; before <= std::min(at, kFarthest); ++before) {
    const Event& other = events[at - before];
    if (other.start_ns != row.start_ns || other.duration_ns != row.duration_ns) {
      return false;
    }
    if (other.name == row.name && other.track == row.track && other.category == row.category &&
        other.correlation == row.correlation && other.external_id == row.external_id) {
      return true;
    }
  }
  return false;
}

// A file that was merged with itself: half of the rows repeat another. Rows without a length do in
// any trace.
void note_repeated_rows(Timeline& timeline) {
  constexpr std::int64_t kEnoughRows = 50, kSingleInRows = 20;
  std::int64_t repeated = 0, rows = 0;
  for (std::size_t i = 0; i < timeline.events.size(); ++i) {
    if (timeline.events[i].duration_ns > 0) {
      ++rows;
      repeated += is_repeated(timeline.events, i) ? 1 : 0;
    }
  }
  if (rows >= kEnoughRows && kSingleInRows * std::abs(rows - 2 * repeated) <= rows) {
    timeline.notes.warn("nearly every row is there twice: " + std::to_string(repeated) + " of " +
                        std::to_string(rows) +
                        " have the name, track and time of another; counts and sums are of the "
                        "file as it is");
  }
}

// Damage that lets no row through is the reason, whatever the little text before it looks like.
void check_damage(const Timeline& timeline, const std::string& damage) {
  if (timeline.cost.rows == 0 && !damage.empty()) {
    throw Error(Error::Parts{timeline.file,
                             damage,
                             "no row of the trace can be read",
                             "copy it again, or record a new one"});
  }
}

void check_rows(const Timeline& timeline, const DocumentReader& reader) {
  if (timeline.cost.rows > 0) {
    return;
  }
  const std::string& name = timeline.file;
  if (reader.goes_on() && timeline.metadata.contains("ph")) {
    throw Error(Error::Parts{name,
                             "is JSON lines, one event a line",
                             "make one array of them: `jq -s . " + name + " > events.json`",
                             ""});
  }
  refuse_other_json(timeline);
  if (reader.goes_on()) {
    throw Error(Error::Parts{name,
                             "has no event in its first JSON document",
                             "others follow, which are not read",
                             "put each of them into a file of its own"});
  }
  const std::string bytes = std::to_string(timeline.cost.json_bytes);
  throw Error(
      Error::Parts{name,
                   "has no event",
                   reader.has_event_array()
                       ? "its array of events is empty"
                       : "neither an array of events nor one called traceEvents within its " +
                             bytes + " bytes of JSON",
                   kWhatIsRead});
}

void check_content(const Timeline& timeline) {
  if (!is_of_pytorch(timeline)) {
    refuse_other_json(timeline);
    throw Error(Error::Parts{timeline.file,
                             "is not a trace of a PyTorch profiler",
                             "none of its " + std::to_string(timeline.cost.rows) +
                                 " rows is an operator, a call, a kernel or a memory event",
                             kWhatIsRead});
  }
  if (is_empty_recording(timeline)) {
    throw Error(Error::Parts{timeline.file,
                             "holds no operator, call or kernel",
                             "it was probably exported before the active steps of schedule(), or "
                             "after a new cycle had dropped them",
                             "export it in on_trace_ready, or give schedule() repeat=1"});
  }
}

Timeline read_from(ByteSource& source,
                   const std::string& name,
                   const ReadOptions& options,
                   std::int64_t file_bytes) {
  Timeline timeline;
  timeline.file = name;
  TimelineBuilder builder(timeline, options);
  TextWindow text(source);
  Expectation expectation(source, builder, file_bytes);
  DocumentReader reader(text, timeline, builder, options, [&](std::int64_t rows) {
    timeline.cost.rows = rows;
    expectation.after_row(rows);
  });
  try {
    reader.read();
  } catch (const Error&) {
    check_damage(timeline, source.damage());
    throw;
  }
  text.consume_until(text.end());
  while (text.fill()) {  // to its end: only there a source knows that it is whole
    text.consume_until(text.end());
  }
  if (const std::string damage = source.damage(); !damage.empty()) {
    timeline.notes.warn(damage + ": read up to there");
  }
  timeline.cost.json_bytes = text.offset();
  timeline.cost.file_bytes = source.file_bytes();
  timeline.cost.compression = source.compression();
  check_damage(timeline, source.damage());
  check_rows(timeline, reader);
  builder.finish();
  check_content(timeline);
  note_repeated_rows(timeline);
  take_rank_from_name(timeline);
  timeline.cost.table_bytes =
      static_cast<std::int64_t>(rows_held_bytes(timeline) + timeline.strings.bytes());
  return timeline;
}

}  // namespace

Timeline read_trace(const std::filesystem::path& path, const ReadOptions& options) {
  const auto source = open_trace_text(path);
  std::error_code failed;
  const auto size = std::filesystem::file_size(path, failed);
  return read_from(*source, path.string(), options, failed ? 0 : static_cast<std::int64_t>(size));
}

Timeline read_trace(std::unique_ptr<ByteSource> text,
                    const std::string& name,
                    const ReadOptions& options) {
  return read_from(*text, name, options, 0);
}

}  // namespace tune::profile
