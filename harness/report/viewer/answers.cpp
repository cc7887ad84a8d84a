#include "report/viewer/answers.h"

#include <httplib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace tune::viewer {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 16;  // a stop is heeded after each

}  // namespace

void not_found(httplib::Response& response) {
  response.status = 404;
  response.set_content("not found\n", "text/plain");
}

void answer_with_bytes(httplib::Response& response,
                       const std::shared_ptr<const std::string>& bytes,
                       const std::string& type,
                       AnswerEnd end) {
  if (bytes->empty()) {
    response.set_content("", type);
    return;
  }
  response.set_content_provider(
      bytes->size(),
      type,
      [bytes](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        const std::size_t there = bytes->size() - std::min(offset, bytes->size());
        if (length > there) {  // a part that ends behind the last byte
          return false;
        }
        return sink.write(bytes->data() + offset, std::min(length, kBlockBytes));
      },
      std::move(end));
}

bool answer_with_file(httplib::Response& response,
                      const FileToSend& file,
                      AnswerEnd end,
                      const std::function<void()>& became_shorter) {
  const auto stored = std::make_shared<std::ifstream>(file.path, std::ios::binary);
  if (!stored->is_open()) {
    return false;
  }
  if (file.bytes == 0) {
    response.set_content("", file.type);
    return true;
  }
  response.set_content_provider(
      static_cast<std::size_t>(file.bytes),
      file.type,
      [stored, became_shorter](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        std::array<char, kBlockBytes> block{};
        const std::size_t wanted = std::min(length, block.size());
        stored->seekg(static_cast<std::streamoff>(offset));
        stored->read(block.data(), static_cast<std::streamsize>(wanted));
        if (static_cast<std::size_t>(stored->gcount()) != wanted) {
          if (became_shorter) {
            became_shorter();
          }
          return false;
        }
        return sink.write(block.data(), wanted);
      },
      std::move(end));
  return true;
}

namespace fs = std::filesystem;

std::map<std::string, fs::path> files_to_serve(const fs::path& folder) {
  std::map<std::string, fs::path> files;
  std::error_code failed;
  auto entry = fs::recursive_directory_iterator(
      folder, fs::directory_options::skip_permission_denied, failed);
  while (!failed && entry != fs::recursive_directory_iterator()) {
    std::error_code unknown;
    const fs::file_status status = entry->symlink_status(unknown);
    if (entry->path().filename().string().starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (!unknown && fs::is_regular_file(status)) {
      files.emplace(entry->path().lexically_relative(folder).generic_string(), entry->path());
    }
    entry.increment(failed);
  }
  return files;
}

std::string media_type(const std::string& name) {
  struct Ending {
    std::string_view text, type;
  };
  static constexpr std::array<Ending, 7> kEndings = {{{".html", "text/html; charset=utf-8"},
                                                      {".js", "text/javascript; charset=utf-8"},
                                                      {".json", "application/json"},
                                                      {".jsonl", "text/plain; charset=utf-8"},
                                                      {".md", "text/plain; charset=utf-8"},
                                                      {".log", "text/plain; charset=utf-8"},
                                                      {".gz", "application/gzip"}}};
  for (const Ending& ending : kEndings) {
    if (name.ends_with(ending.text)) {
      return std::string(ending.type);
    }
  }
  return "application/octet-stream";
}

}  // namespace tune::viewer
