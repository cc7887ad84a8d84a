#include "report/format/formats.h"
#include "report/format/notices.h"
#include "report/format/stored_text.h"
#include "report/markup.h"

#include <array>
#include <cstddef>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kMostOfAKind = 10;  // of one step; GitHub drops the rest
constexpr std::size_t kLongestTitle = 200;
constexpr std::size_t kLongestText = 1000;

// The runner undoes this.
std::string escaped(const std::string& text, bool is_property) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '%':
        safe += "%25";
        break;
      case '\r':
        safe += "%0D";
        break;
      case '\n':
        safe += "%0A";
        break;
      case ':':
        safe += is_property ? "%3A" : ":";
        break;
      case ',':
        safe += is_property ? "%2C" : ",";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string command(const char* kind,
                    const std::string& place,
                    const std::string& title,
                    const std::string& text) {
  return std::string("::") + kind + " " + place +
         "title=" + escaped(shortened(title, kLongestTitle), true) +
         "::" + escaped(shortened(text, kLongestText), false) + "\n";
}

struct Kind {
  Notice::Level level;
  const char* word;
};

constexpr std::array<Kind, 3> kKinds = {{{Notice::Level::error, "error"},
                                         {Notice::Level::warning, "warning"},
                                         {Notice::Level::note, "notice"}}};

}  // namespace

std::string to_github_annotations(const result::Result& result, const FormatOptions& options) {
  const std::string path = path_below(result.scenario.file, options.root);
  const std::string file = path.empty() ? "" : "file=" + escaped(path, true) + ",";
  const std::vector<Notice> found = notices(result);
  std::string text;
  for (const Kind& kind : kKinds) {
    std::vector<const Notice*> own;
    for (const Notice& notice : found) {
      if (notice.level == kind.level) {
        own.push_back(&notice);
      }
    }
    const std::size_t shown = own.size() <= kMostOfAKind ? own.size() : kMostOfAKind - 1;
    for (std::size_t i = 0; i < shown; ++i) {
      const std::string line = file.empty() ? "" : "line=" + std::to_string(own[i]->line) + ",";
      text += command(kind.word, file + line, own[i]->title, own[i]->text);
    }
    if (shown < own.size()) {
      text += command(kind.word,
                      file,
                      std::to_string(own.size() - shown) + " more",
                      std::to_string(own.size() - shown) + " more are in the report of tune");
    }
  }
  return text;
}

}  // namespace tune::report
