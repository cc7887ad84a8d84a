#include "base/error.h"
#include "trace_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tune::profile {
namespace {

namespace fs = std::filesystem;

std::string complaint(const std::string& text, const std::string& name = "test.json") {
  try {
    read_trace(std::make_unique<MemorySource>(text), name);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks " << part;
}

TEST(BadInput, IsRefusedWithASentenceAndAPlace) {
  expect_has(complaint(""), "test.json: byte 0 of the JSON: holds nothing");
  expect_has(complaint("  \n"), "holds nothing");
  expect_has(complaint("ELF..."), "byte 0 of the JSON: is not JSON");
  expect_has(complaint("{\"a\": 1, b}"), "byte 9 of the JSON: is not JSON");
  expect_has(complaint("{}"), "has no event");
  for (const char* empty : {"[]", R"({"traceEvents": []})"}) {
    expect_has(complaint(empty),
               "has no event (its array of events is empty) name a file that torch.profiler's "
               "export_chrome_trace or tensorboard_trace_handler wrote?");
  }
  expect_has(complaint(R"({"traceEvents": null})"), "has no event");
  expect_has(complaint(R"({"traceEvents": 12})"), "has no event");
  expect_has(complaint(R"({"results": [{"name": "bench", "time": 5}]})"), "has no event");
  expect_has(
      complaint(
          R"({"traceEvents": [{"ph": "X", "cat": "devtools", "name": "Paint", "ts": 1, "dur": 2}]})"),
      "is not a trace of a PyTorch profiler");
}

TEST(BadInput, OfOtherFormatsIsNamed) {
  using namespace std::string_literals;
  expect_has(complaint("PK\x03\x04...."s), "test.json: is a zip archive");
  expect_has(complaint("\x80\x04\x95"s), "is a Python pickle");
  expect_has(complaint("trace.json"s + std::string(247, '\0') + "ustar\0"s), "is a tar archive");
  expect_has(complaint("\n\x0b\x08\x01\x12\x07/host:CPU"s), "is an XPlane file");
  expect_has(complaint("SQLite format 3\0"s), "is an SQLite database");
  expect_has(complaint(R"({"rocprofiler-sdk-tool": [{"metadata": {"pid": 7}}]})"),
             "is a trace of AMD's rocprof");
  expect_has(complaint(
                 R"({ "traceEvents":[{}
,{"args":{"name":"0 CPU HIP API"},"ph":"M","pid":2,"name":"process_name","sort_index":0}
,{"ph":"X","name":"hipMalloc","ts":8,"dur":2,"pid":2,"tid":9,"args":{"BeginNs":"8000"}}]})"),
             "is a trace of AMD's rocprof");
  expect_has(complaint("\x89PNG\r\n\x1a\n"s), "is an image (PNG)");
  expect_has(complaint("\xff\xd8\xff\xe0"s), "is an image (JPEG)");
  expect_has(complaint("BZh91AY&SY"s), "is compressed with bzip2");
  expect_has(complaint("\xfd"
                       "7zXZ\0"s),
             "is compressed with xz");
  for (const std::string& text : {"\xff\xfe{\0"s, "\xfe\xff\0{"s, "[\0]\0"s, "\0{\0}"s}) {
    expect_has(complaint(text), "is text in UTF-16");
  }
  expect_has(complaint("\n[]"), "has no event");
}

TEST(BadInput, OfOtherProfilersIsNamedByItsContent) {
  using namespace std::string_literals;
  expect_has(complaint("\xfb)\x03\xfa\x01~\xe9\0\0\0\0"s), "is a profile of cProfile");
  expect_has(complaint("{)\x03z\x04t.py"s), "is a profile of cProfile");
  expect_has(complaint("\x18\0\0\0\0\0\0\0 crc\x09 seconds\x1a\x0d"
                       "brain.Event:2"s),
             "is an event file of TensorBoard");
  expect_has(complaint(R"({"schema": "1.1.1-chakra.0.0.4", "pid": 7, "time": "2025-03-04 10:00:00",
      "start_ts": 1234567, "nodes": [{"id": 1, "name": "[pytorch|profiler]"}]})"),
             "is an ExecutionTrace (Chakra)");
  expect_has(complaint(R"({"shared": {"frames": [{"name": "main"}]}, "profiles": [],
      "$schema": "https://www.speedscope.app/file-format-schema.json"})"),
             "is a profile for speedscope");
  for (const char* cat : {"devtools.timeline", "disabled-by-default-devtools.timeline"}) {
    expect_has(complaint("[" + row(cat, "RunTask", "1", "2") + "]"),
               "is a trace of Chrome's DevTools");
  }
  // A browser's rows next to those of PyTorch are nothing to refuse.
  EXPECT_EQ(complaint("[" + row("devtools.timeline", "RunTask", "1", "2") + "," +
                      row("cpu_op", "aten::mm", "1", "2") + "]"),
            "");
}

TEST(BadInput, OfAnotherKindIsNamedWithWhatToDo) {
  expect_has(complaint("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 5\n"),
             "is a Git LFS pointer, not the file itself (fetch the file: `git lfs pull`)");
  for (const char* text : {"<!DOCTYPE html><html>", "\n <HTML>", "<!doctype HTML>\n"}) {
    expect_has(complaint(text), "is an HTML page");
  }
  expect_has(complaint("<htm"), "is not JSON");
  expect_has(complaint(R"({"cells": [{"cell_type": "code"}], "metadata": {}, "nbformat": 4})"),
             "is a Jupyter notebook");
  const std::string line = row("cpu_op", "aten::mm", "1", "2");
  expect_has(complaint(line + "\n" + line + "\n"), "is JSON lines, one event a line");
  expect_has(complaint(R"({"epoch": 1}{"epoch": 2})"), "has no event in its first JSON document");
}

// An entry of a zip archive, stored, with some extra bytes; nothing that follows it is looked at.
std::string entry(const std::string& name, std::size_t extra = 0) {
  using namespace std::string_literals;
  const auto two_bytes = [](std::size_t number) {
    return std::string{static_cast<char>(number % 256), static_cast<char>(number / 256)};
  };
  return "PK\x03\x04"s + std::string(22, '\0') + two_bytes(name.size()) + two_bytes(extra) + name +
         std::string(extra, 'Z');
}

TEST(BadInput, ZipArchiveOfATraceIsToldFromAModel) {
  expect_has(complaint(entry("trace.json") + "...", "t.zip"),
             "t.zip: is a zip archive that holds trace.json (unpack it with `unzip t.zip` and "
             "name that file)");
  expect_has(
      complaint(entry("runs/") + entry("runs/a/", 300) + entry("runs/a/r0.json.gz"), "t.zip"),
      "holds runs/a/r0.json.gz");
  const std::string model = "is a zip archive: a model or tensors";
  for (const char* first : {"archive/data.pkl",
                            "m/data/weights/weight_0",
                            "serialized_exported_program.json",
                            "data/aotinductor/model/c1_metadata.json",
                            "runs/"}) {
    expect_has(complaint(entry(first), "t.zip"), model);
  }
  for (const char* name : {"m.pt", "m.pt2"}) {
    expect_has(complaint(entry("extra.json"), name), model);
  }
}

TEST(BadInput, WithoutAMarkInItIsNamedByItsName) {
  for (const char* name : {"report.nsys-rep", "report.qdrep"}) {
    expect_has(complaint("\x01\x02", name), "is a report of Nsight Systems");
  }
  expect_has(complaint("\x01\x02", "report.ncu-rep"), "is a report of Nsight Compute");
  const std::string trace = "[" + row("cpu_op", "aten::mm", "1", "2") + "]";
  for (const char* name : {"report.nsys-rep", "trace.pftrace", "trace.py"}) {
    EXPECT_EQ(complaint(trace, name), "");
  }
}

// What torch 2.11 exports when the profiler stops in a second cycle, in the warm-up or right after.
TEST(BadInput, WithoutWhatRanIsATraceExportedTooLate) {
  const std::string named =
      R"({"ph": "M", "name": "process_name", "ts": 1, "pid": 7, "tid": 0, "args": {"name": "python"}},)";
  const std::string span = row("Trace", "PyTorch Profiler (0)", "1", "55", R"("Op count": 0)");
  const std::string end =
      R"(,{"name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": 60})";
  const std::string step = row("user_annotation", "ProfilerStep#10", "1", "12") + ",";
  for (const std::string& text : {"[" + named + span + end + "]", "[" + step + span + end + "]"}) {
    expect_has(complaint(text),
               "test.json: holds no operator, call or kernel (it was probably exported before the "
               "active steps of schedule(), or after a new cycle had dropped them) export it in "
               "on_trace_ready, or give schedule() repeat=1?");
  }
  for (const char* category : {"cpu_op", "user_annotation", "python_function", "kernel"}) {
    EXPECT_EQ(complaint("[" + step + span + "," + row(category, "a", "1", "2") + end + "]"), "");
  }
  EXPECT_EQ(complaint("[" + step.substr(0, step.size() - 1) + "]"), "");
}

TEST(BadInput, AfterTheFirstDocumentIsSaid) {
  const std::string trace = "[" + row("cpu_op", "aten::mm", "1", "2") + "]";
  const std::string object = R"({"traceEvents": )" + trace + "}";
  for (const std::string& text : {trace + object, object + "\n" + trace, object + object}) {
    const std::vector<std::string> warnings = read_text(text).notes.warnings();
    ASSERT_EQ(warnings.size(), 1U) << text;
    expect_has(warnings.front(), "another JSON document begins at byte ");
  }
  for (const std::string& text : {trace, object, object + "\n\n", trace + " \n"}) {
    EXPECT_TRUE(read_text(text).notes.warnings().empty()) << text;
  }
}

TEST(BadInput, NestedTooDeepIsRefused) {
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  expect_has(complaint(R"({"traceEvents": [{"ph": "X", "args": )" + deep + "}]}"),
             "nested too deep");
  expect_has(complaint(R"({"other": )" + deep + "}"), "nested too deep");
  expect_has(complaint(std::string(100'000, '[')), "nested too deep");
}

TEST(BadInput, TimesBeyondInt64AreRefusedWithTheirByte) {
  expect_has(
      complaint("[" + row("cpu_op", "a", "1", "1") + "," + row("cpu_op", "b", "1e30", "1") + "]"),
      "test.json: byte 98: a time of 1e30 us (times must lie within int64 ns)");
}

class TraceFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tune-trace-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& text) {
    const fs::path path = folder_ / "trace.json";
    std::ofstream(path) << text;
    return path;
  }
  std::string complaint_about(const fs::path& path) {
    try {
      read_trace(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(TraceFile, DirectoryAndMissingFileAreNamed) {
  expect_has(complaint_about(folder_), "is a directory");
  expect_has(complaint_about(folder_ / "none.json"),
             "cannot be opened (No such file or directory)");
}

TEST_F(TraceFile, NoPermissionIsSaid) {
  if (geteuid() == 0) {
    GTEST_SKIP() << "the superuser may read everything";
  }
  const fs::path path = write("[]");
  fs::permissions(path, fs::perms::none);
  expect_has(complaint_about(path), "cannot be opened (Permission denied)");
}

TEST_F(TraceFile, ThatChangesWhileItIsReadIsRefused) {
  const fs::path path = write("[" + row("cpu_op", "a", "1", "1") + ",");
  for (const bool grows : {true, false}) {
    const auto source = open_file(path);
    std::string some(5, ' ');
    ASSERT_EQ(source->read(some.data(), some.size()), some.size());
    if (grows) {
      std::ofstream(path, std::ios::app) << row("cpu_op", "b", "2", "1");
    } else {
      fs::resize_file(path, 9);
    }
    std::string rest(10'000, ' ');
    EXPECT_THROW(
        {
          while (source->read(rest.data(), rest.size()) > 0) {
          }
        },
        Error)
        << grows;
  }
}

}  // namespace
}  // namespace tune::profile
