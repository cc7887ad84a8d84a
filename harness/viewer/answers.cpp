#include "viewer/answers.h"

#include <httplib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
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

}  // namespace tune::viewer
