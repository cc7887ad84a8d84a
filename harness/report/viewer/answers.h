#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace httplib {

struct Response;

}  // namespace httplib

namespace tune::viewer {

/// Called once an answer has ended: whether all that was asked for went out (never of HEAD).
using AnswerEnd = std::function<void(bool is_whole)>;

/// 404, which says nothing of what there is.
void not_found(httplib::Response& response);

/// Answers with bytes that are ready, neither copied nor compressed: it takes no longer than
/// sending them. `type` is a media type. Of no bytes there is no `end`.
void answer_with_bytes(httplib::Response& response,
                       const std::shared_ptr<const std::string>& bytes,
                       const std::string& type,
                       AnswerEnd end = nullptr);

struct FileToSend {
  std::filesystem::path path;
  std::int64_t bytes = 0;
  std::string type = "application/octet-stream";
};

/// Answers with a file as it is stored, read block by block. `became_shorter` may be empty. False:
/// it cannot be opened; then nothing is answered and nobody is called. Of no bytes there is no
/// `end`.
bool answer_with_file(httplib::Response& response,
                      const FileToSend& file,
                      AnswerEnd end,
                      const std::function<void()>& became_shorter = nullptr);

/// The files of a folder and of the folders in it by the names under which a browser may have them:
/// "report.html", "trials/r1-c07/reply.json". Regular files alone: links, which may lead out of the
/// folder, and what begins with a dot are left out. What cannot be read is missing.
std::map<std::string, std::filesystem::path> files_to_serve(const std::filesystem::path& folder);

/// The media type that a file's name implies; bytes where it implies none.
std::string media_type(const std::string& name);

}  // namespace tune::viewer
