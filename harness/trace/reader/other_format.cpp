#include "trace/reader/other_format.h"

#include "base/error.h"
#include "trace/reader/text_window.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace tune::profile {

namespace {

constexpr std::size_t kEnough = 512;   // the header of a tar archive
constexpr std::size_t kTarMark = 257;  // where a tar archive says that it is one
constexpr std::string_view kTrace =
    "record a trace with torch.profiler: prof.export_chrome_trace('trace.json.gz')";

struct Magic {
  std::size_t at;
  std::string_view bytes;
  std::string_view what;
  std::string_view what_to_do;
};

constexpr std::array<Magic, 9> kMagics = {{
    {0,
     std::string_view("PK\x03\x04", 4),
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

[[noreturn]] void refuse(const std::string& file, std::string_view problem, std::string_view why) {
  throw Error(Error::Parts{file, std::string(problem), std::string(why), ""});
}

}  // namespace

void refuse_other_format(const std::string& file, TextWindow& text) {
  while (text.size() < kEnough && text.fill()) {  // a pipe gives a little at a time
  }
  const std::string_view beginning(text.begin(), text.size());
  if (file.ends_with(".py")) {
    refuse(file, "is a Python script", "a trace of it: `tune trace -- python " + file + "`");
  }
  if (is_pickle(beginning)) {
    refuse(file, "is a Python pickle: tensors of torch.save, or a snapshot of memory", kTrace);
  }
  if (is_xplane(beginning)) {
    refuse(file,
           "is an XPlane file of XLA's profiler (JAX, TensorFlow)",
           "the folder of the same run has a trace.json.gz, which can be read");
  }
  if (is_utf16(beginning)) {
    refuse(file,
           "is text in UTF-16, as PowerShell's > writes it",
           "turn it into UTF-8: `iconv -f UTF-16 -t UTF-8 " + file + " > trace.json`");
  }
  if (file.ends_with(".pftrace") || file.ends_with(".perfetto-trace")) {
    refuse(file,
           "is a trace in Perfetto's own format",
           "turn it into JSON: `traceconv json " + file + " trace.json`");
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
}

}  // namespace tune::profile
