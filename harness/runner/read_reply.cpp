#include "runner/read_reply.h"

#include "base/error.h"
#include "base/file.h"
#include "base/machine_error.h"
#include "runner/output_log.h"

#include <filesystem>
#include <string_view>

namespace tune::runner {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestReply = 16 << 20;

ReadReply no_reply(std::string_view problem) {
  ReadReply none;
  none.problem = printable(problem);
  return none;
}

// The complaint without the name of the file, which the caller knows better.
std::string_view without_place(std::string_view complaint, const std::string& place) {
  if (complaint.starts_with(place + ": ")) {
    complaint.remove_prefix(place.size() + 2);
  }
  return complaint;
}

}  // namespace

ReadReply read_reply(const trial::TrialSpec& spec) {
  const fs::path file = fs::path(spec.folder) / "reply.json";
  try {
    const fs::file_type type = type_of_kept(file);
    if (type == fs::file_type::not_found) {
      ReadReply none = no_reply("no reply was written");
      none.is_missing = true;
      return none;
    }
    if (type != fs::file_type::regular) {  // a pipe would block us
      return no_reply("is not a file");
    }
    ReadReply read;
    read.reply = trial::parse_trial_reply(read_kept_file(file, kLargestReply), file.string());
    return read.reply->id == spec.id ? read : no_reply("id is that of another trial");
  } catch (const MachineError&) {
    throw;
  } catch (const Error& error) {
    return no_reply(without_place(error.what(), file.string()));
  }
}

}  // namespace tune::runner
