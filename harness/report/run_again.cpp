#include "report/run_again.h"

#include "report/markup.h"
#include "report/run_facts.h"

namespace tune::report {

namespace {

std::string or_unknown(const std::string& text) {
  return text.empty() ? "not known" : one_line(text);
}

}  // namespace

Blocks run_again(const RunAgain& what) {
  Section section;
  if (what.command.empty()) {
    section.add(Sentence{"The command was not recorded."});
  } else {
    section.add(Sentence{"Run it again:"}, kAsLines | kInMarkdown)
        .add(Code{command_line(what.command)});
  }
  section.add(
      Sentence{"Seed " + or_unknown(what.seed) + "; scenario " + or_unknown(what.scenario_file) +
               ", SHA-256 " + or_unknown(what.scenario_sha256) + "; tune " +
               or_unknown(what.version) + ", commit " + or_unknown(what.commit) + "."},
      kInHtml);
  return section.blocks;
}

}  // namespace tune::report
