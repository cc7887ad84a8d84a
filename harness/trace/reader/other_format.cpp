#include "trace/reader/other_format.h"

#include "base/error.h"
#include "trace/reader/text_window.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace tune::profile {

namespace {

constexpr std::size_t kEnough = 4096;  // for the first file of a zip archive, in some folders
constexpr std::size_t kTarMark = 257;  // where a tar archive says that it is one
constexpr std::string_view kZipMark("PK\x03\x04", 4);
constexpr std::string_view kTrace =
    "record a trace with torch.profiler: prof.export_chrome_trace('trace.json.gz')";
constexpr std::string_view kFunctions = "Python functions, without operators and kernels";

struct Magic {
  std::size_t at;
  std::string_view bytes;
  std::string_view what;
  std::string_view what_to_do;
};

constexpr std::array<Magic, 10> kMagics = {{
    {0,
     kZipMark,
     "is a zip archive: a model or tensors that torch.save, torch.export or torch.jit wrote",
     "a model has no times in it; tune run measures one: `tune run -- python train.py`"},
    {kTarMark, "ustar", "is a tar archive", "unpack it (tar -xf) and name the trace in it"},
    {0, "SQLite format 3", "is an SQLite database, as Nsight Systems exports one", kTrace},
    {0,
     "\x7f"
     "ELF",
     "is a program or a library",
     kTrace},
    {0, "%PDF", "is a PDF", kTrace},
    {0, "\x89PNG", "is an image (PNG)", kTrace},
    {0, "\xff\xd8\xff", "is an image (JPEG)", kTrace},
    {0, "BZh", "is compressed with bzip2", "unpack it (bunzip2), or pack it with gzip or zstd"},
    {0,
     "\xfd"
     "7zXZ",
     "is compressed with xz",
     "unpack it (unxz), or pack it with gzip or zstd"},
    {0,
     "version https://git-lfs.github.com/spec/",
     "is a Git LFS pointer, not the file itself",
     "fetch the file: `git lfs pull`"},
}};

struct Suffix {
  std::string_view suffix, what;
};

constexpr std::array<Suffix, 4> kOfNsight = {{
    {".nsys-rep", "is a report of Nsight Systems"},
    {".qdrep", "is a report of Nsight Systems"},
    {".qdstrm", "is a report of Nsight Systems"},
    {".ncu-rep", "is a report of Nsight Compute: single kernels, without steps"},
}};

bool is_pickle(std::string_view beginning) {
  return beginning.size() >= 2 && beginning[0] == '\x80' && beginning[1] >= 2 && beginning[1] <= 5;
}

// A protocol buffer: XLA's profiler names its planes near the beginning of the file.
bool is_xplane(std::string_view beginning) {
  return beginning.starts_with("\n") && (beginning.find("/host:") != std::string_view::npos ||
                                         beginning.find("/device:") != std::string_view::npos);
}

// With a mark of the order of its bytes, or a first character of two bytes.
bool is_utf16(std::string_view beginning) {
  constexpr std::array<std::string_view, 6> kBeginnings = {"\xff\xfe",
                                                           "\xfe\xff",
                                                           std::string_view("{\0", 2),
                                                           std::string_view("[\0", 2),
                                                           std::string_view("\0{", 2),
                                                           std::string_view("\0[", 2)};
  return std::any_of(kBeginnings.begin(), kBeginnings.end(), [&](std::string_view bytes) {
    return beginning.starts_with(bytes);
  });
}

// JSON too: rocprof names its tracks at the beginning of the file, rocprofv3 its tool.
bool is_rocprof(std::string_view beginning) {
  constexpr std::array<std::string_view, 3> kMarks = {
      "\"rocprofiler-sdk-tool\"", "CPU HIP API", "CPU HSA API"};
  return std::any_of(kMarks.begin(), kMarks.end(), [&](std::string_view mark) {
    return beginning.find(mark) != std::string_view::npos;
  });
}

// A number of two bytes; the text has them.
std::size_t little_endian(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  return byte(at) + (std::size_t{byte(at + 1)} << 8);
}

// The first file in a zip archive, after the folders before it; "" when it begins too late.
std::string_view first_in_zip(std::string_view zip) {
  constexpr std::size_t kHeader = 30, kNameLength = 26, kExtraLength = 28;
  while (zip.size() > kHeader && zip.starts_with(kZipMark)) {
    const std::string_view name = zip.substr(kHeader, little_endian(zip, kNameLength));
    if (!name.ends_with('/')) {
      return name;
    }
    zip.remove_prefix(
        std::min(zip.size(), kHeader + name.size() + little_endian(zip, kExtraLength)));
  }
  return "";
}

template <std::size_t kCount>
bool ends_with_any(std::string_view text, const std::array<std::string_view, kCount>& ends) {
  return std::any_of(
      ends.begin(), ends.end(), [text](std::string_view end) { return text.ends_with(end); });
}

// torch.export put the program into JSON too, and AOTInductor its metadata.
bool holds_trace(const std::string& file, std::string_view first) {
  constexpr std::array<std::string_view, 4> kModels = {".pt", ".pt2", ".pth", ".ptl"};
  constexpr std::array<std::string_view, 3> kTraces = {".json", ".json.gz", ".json.zst"};
  return ends_with_any(first, kTraces) && !ends_with_any(file, kModels) &&
         !first.ends_with("serialized_exported_program.json") &&
         first.find("aotinductor") == std::string_view::npos;
}

// What cProfile writes with marshal: a dictionary by (file, line, function).
bool is_cprofile(std::string_view beginning) {
  constexpr unsigned kType = 0x7f;  // the other bit: it is referred to again
  const auto type_of = [](char byte) { return static_cast<unsigned char>(byte) & kType; };
  return beginning.size() > 2 && type_of(beginning[0]) == '{' && type_of(beginning[1]) == ')' &&
         beginning[2] == '\x03';
}

// A record's length, its checksum, and a message with the time and the version of the format.
bool is_of_tensorboard(std::string_view beginning) {
  constexpr std::size_t kFarthest = 64;
  return beginning.substr(0, kFarthest).find("brain.Event:") != std::string_view::npos;
}

bool is_html(std::string_view text) {
  const auto is_same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  };
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  constexpr std::array<std::string_view, 2> kBeginnings = {"<!doctype html", "<html"};
  return std::any_of(kBeginnings.begin(), kBeginnings.end(), [&](std::string_view tag) {
    const std::string_view begin = text.substr(0, tag.size());
    return std::equal(begin.begin(), begin.end(), tag.begin(), tag.end(), is_same);
  });
}

bool begins_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

[[noreturn]] void refuse(const std::string& file, std::string_view problem, std::string_view why) {
  throw Error(Error::Parts{file, std::string(problem), std::string(why), ""});
}

void refuse_by_name(const std::string& file) {
  if (file.ends_with(".py")) {
    refuse(file, "is a Python script", "a trace of it: `tune trace -- python " + file + "`");
  }
  if (file.ends_with(".pftrace") || file.ends_with(".perfetto-trace")) {
    refuse(file,
           "is a trace in Perfetto's own format",
           "turn it into JSON: `traceconv json " + file + " trace.json`");
  }
  for (const Suffix& known : kOfNsight) {
    if (file.ends_with(known.suffix)) {
      refuse(file, known.what, kTrace);
    }
  }
}

void refuse_binary(const std::string& file, std::string_view beginning) {
  if (is_pickle(beginning)) {
    refuse(file, "is a Python pickle: tensors of torch.save, or a snapshot of memory", kTrace);
  }
  if (is_xplane(beginning)) {
    refuse(file,
           "is an XPlane file of XLA's profiler (JAX, TensorFlow)",
           "the folder of the same run has a trace.json.gz, which can be read");
  }
  if (const std::string first(first_in_zip(beginning)); holds_trace(file, first)) {
    refuse(file,
           "is a zip archive that holds " + first,
           "unpack it with `unzip " + file + "` and name that file");
  }
  if (is_cprofile(beginning)) {
    refuse(file, "is a profile of cProfile: " + std::string(kFunctions), kTrace);
  }
  if (is_of_tensorboard(beginning)) {
    refuse(file,
           "is an event file of TensorBoard: scalars and graphs, without operators",
           "name the .pt.trace.json of tensorboard_trace_handler, often in the same folder");
  }
}

}  // namespace

void refuse_other_format(const std::string& file, TextWindow& text) {
  while (text.size() < kEnough && text.fill()) {  // a pipe gives a little at a time
  }
  const std::string_view beginning(text.begin(), text.size());
  refuse_binary(file, beginning);
  if (is_utf16(beginning)) {
    refuse(file,
           "is text in UTF-16, as PowerShell's > writes it",
           "turn it into UTF-8: `iconv -f UTF-16 -t UTF-8 " + file + " > trace.json`");
  }
  if (is_html(beginning)) {
    refuse(file,
           "is an HTML page",
           "a server sends one when it refuses or wants a login: download the trace again");
  }
  if (is_rocprof(beginning)) {
    refuse(file, "is a trace of AMD's rocprof, without operators and steps", kTrace);
  }
  for (const Magic& magic : kMagics) {
    if (beginning.size() > magic.at &&
        beginning.substr(magic.at, magic.bytes.size()) == magic.bytes) {
      refuse(file, magic.what, magic.what_to_do);
    }
  }
  if (!begins_like_json(beginning)) {
    refuse_by_name(file);
  }
}

void refuse_other_json(const Timeline& timeline) {
  const auto value_of = [&](const char* key) {
    const auto found = timeline.metadata.find(key);
    return found == timeline.metadata.end() ? std::string() : found->second;
  };
  const std::string& file = timeline.file;
  if (!value_of("schema").empty() && !value_of("start_ts").empty()) {
    refuse(file,
           "is an ExecutionTrace (Chakra), which says what ran and not how long it took",
           "name the trace that export_chrome_trace wrote of the same steps");
  }
  if (value_of("$schema").find("speedscope") != std::string::npos) {
    refuse(file, "is a profile for speedscope: " + std::string(kFunctions), kTrace);
  }
  if (!value_of("nbformat").empty()) {
    refuse(file,
           "is a Jupyter notebook",
           "record a trace in one of its cells: prof.export_chrome_trace('trace.json.gz')");
  }
  const auto& categories = timeline.notes.other_categories();
  if (std::any_of(categories.begin(), categories.end(), [](const auto& category) {
        return category.first.starts_with("devtools.") ||
               category.first.starts_with("disabled-by-default-devtools.");
      })) {
    refuse(file, "is a trace of Chrome's DevTools: what a browser did", kTrace);
  }
}

}  // namespace tune::profile
