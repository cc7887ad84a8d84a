#include "report/gate_pages.h"

#include "base/file.h"
#include "measure/gate/gate_result.h"
#include "report/format/formats.h"
#include "report/gate_json.h"
#include "report/gate_sections.h"
#include "report/html_page.h"
#include "report/markdown.h"

#include <array>
#include <initializer_list>

namespace tune::report {

namespace {

using MakeSection = Section (*)(const GateRecord& record);

Blocks blocks_of(const GateRecord& record, std::initializer_list<MakeSection> sections) {
  Blocks blocks;
  for (const MakeSection make : sections) {
    const Section section = make(record);
    blocks.insert(blocks.end(), section.blocks.begin(), section.blocks.end());
  }
  return blocks;
}

Section places_section(const GatePlaces& places) {
  Section section;
  if (!places.report.empty()) {
    section.add(Sentence{"report:  " + places.report});
  }
  if (!places.next.empty()) {
    section.add(Sentence{"next:    " + places.next});
  }
  return section;
}

// Parts that have an empty line between them.
std::string joined(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) {
    text += text.empty() || part.empty() ? "" : "\n";
    text += part;
  }
  return text;
}

}  // namespace

std::string gate_page_head(const std::string& scenario) {
  constexpr std::size_t kLongestName = 100;
  const std::string name = shortened(scenario, kLongestName);
  return "<!-- tune-gate: " + escape_markup(name) + " -->\n## tune gate: " + escape_markdown(name) +
         "\n\n";
}

std::string to_gate_markdown(const GateRecord& record, std::size_t limit_bytes) {
  std::string page =
      gate_page_head(record.result.scenario.name) + to_markdown(blocks_of(record,
                                                                          {gate_answer_section,
                                                                           gate_rows_section,
                                                                           gate_doubts_section,
                                                                           gate_offers_section,
                                                                           gate_anchor_section}));
  std::string details = "\n" + to_markdown({{Folded{"How it was measured",
                                                    blocks_of(record,
                                                              {gate_looks_section,
                                                               gate_machine_section,
                                                               gate_sides_section,
                                                               gate_environment_section,
                                                               gate_again_section})}}});
  if (page.size() + details.size() > limit_bytes) {
    details = "\nDetails were left out, this page would be too long: they are in result.json.\n";
  }
  page += details;
  return page.size() <= limit_bytes ? page
                                    : page.substr(0, page.rfind('\n', limit_bytes - 100)) +
                                          "\n\nThe rest was left out; it is in result.json.\n";
}

std::string to_gate_html(const GateRecord& record) {
  Markup body;
  for (const MakeSection make :
       {gate_answer_section, gate_build_section, gate_rows_section, gate_anchor_section}) {
    body.append(to_markup(make(record)));
  }
  for (const MakeSection make : {gate_pairs_section,
                                 gate_counts_section,
                                 gate_looks_section,
                                 gate_failures_section,
                                 gate_sides_section,
                                 gate_machine_section,
                                 gate_history_section,
                                 gate_method_section,
                                 gate_again_section}) {
    body.append(to_markup(folded(make(record))));
  }
  return html_page(
      "tune gate: " + record.result.scenario.name, record.result.provenance.tune_version, body);
}

std::string to_gate_answer(const GateRecord& record,
                           const GatePlaces& places,
                           const Painter& painter) {
  const auto lines = [&](std::initializer_list<MakeSection> sections) {
    return to_lines(blocks_of(record, sections), kInTerminal, painter);
  };
  return joined({lines({gate_sides_section}),
                 lines({gate_rows_section}),
                 lines({gate_anchor_section}),
                 lines({gate_doubts_section, gate_offers_section, gate_noise_section}) +
                     to_lines(places_section(places).blocks, kInTerminal) +
                     lines({gate_headline_section})});
}

std::string to_gate_text(const GateRecord& record, const GatePlaces& places) {
  const auto lines = [&](std::initializer_list<MakeSection> sections) {
    return to_lines(blocks_of(record, sections), kInText);
  };
  return joined({lines({gate_sides_section}),
                 lines({gate_rows_section}),
                 lines({gate_doubts_section, gate_noise_section, gate_anchor_section}) +
                     to_lines(places_section(places).blocks, kInText) +
                     lines({gate_headline_section})});
}

GateRecord to_gate_record(const gate::GateResult& result) {
  return read_gate_record(to_gate_json(result), "result.json");
}

std::vector<std::filesystem::path> write_gate_reports(const gate::GateResult& result) {
  const auto& directory = result.run.directory;
  std::vector<std::filesystem::path> files = {directory / "result.json",
                                              directory / "report.html",
                                              directory / "report.md",
                                              directory / "junit.xml"};
  const std::string json = to_gate_json(result);
  const GateRecord record = read_gate_record(json, files[0].string());
  write_file_synced(files[0], json);
  write_file_synced(files[1], to_gate_html(record));
  write_file_synced(files[2], to_gate_markdown(record));
  write_file_synced(files[3], to_junit(record.result, {}));
  return files;
}

}  // namespace tune::report
