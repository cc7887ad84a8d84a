#include "aot_archives.h"

#include <caffe2/serialize/inline_container.h>
#include <fstream>
#include <iterator>

namespace tune::worker {

namespace {

std::string bytes_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Writes an archive as torch.export.pt2_archive does.
class Archive {
 public:
  explicit Archive(const std::string& file) : writer_(file) { add("archive_format", "pt2"); }
  ~Archive() { writer_.writeEndOfFile(); }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  void add(const std::string& record, const std::string& bytes) {
    writer_.writeRecord(record, bytes.data(), bytes.size());
  }

  void add_model(const std::string& name, const std::string& library, const std::string& device) {
    const std::string begin = "data/aotinductor/" + name + "/small.wrapper";
    add(begin + ".cpp", "// what the library was compiled from\n");
    add(begin + "_metadata.json",
        R"({"AOTI_DEVICE_KEY": ")" + device + R"(", "AOTI_CPU_ISA": "AVX2"})");
    add(begin + ".so", bytes_of(library));
  }

 private:
  caffe2::serialize::PyTorchStreamWriter writer_;
};

}  // namespace

void write_packages(const std::string& folder) {
  const auto file = [&](const char* name) { return folder + "/" + name; };
  Archive(file("small.pt2")).add_model("model", SMALL_PACKAGE, "cpu");
  Archive(file("for_cuda.pt2")).add_model("model", SMALL_PACKAGE, "cuda");
  Archive(file("decoder.pt2")).add_model("decoder", SMALL_PACKAGE, "cpu");
  Archive(file("other_torch.pt2")).add_model("model", OTHER_PACKAGE, "cpu");
  Archive(file("exported.pt2")).add("models/model.json", "{}");
}

}  // namespace tune::worker
