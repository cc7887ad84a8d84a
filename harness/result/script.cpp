#include "result/script.h"

#include "base/fields.h"
#include "base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tune::result {

using nlohmann::json;
using nlohmann::ordered_json;

static void fields_of(Fields& fields, ScriptPlace& place) {
  fields.text("what", place.what);
  fields.text("file", place.file);
  fields.text("function", place.function);
  fields.whole("line", place.line);
}

static void fields_of(Fields& fields, BusyLine& line) {
  fields.text("file", line.file);
  fields.whole("line", line.line);
  fields.text("function", line.function);
  fields.text("text", line.text);
  fields.text("part", line.part);
  fields.real("ratio", line.ratio, 0, 1);
}

static void fields_of(Fields& fields, TriedKnob& knob) {
  fields.text("cell", knob.cell);
  fields.text("knob", knob.knob);
  knob_value(fields, "value", knob.value);
  fields.text("state", knob.state);
  fields.text_or_null("why", knob.why);
  fields.whole("trials", knob.trials);
}

static void fields_of(Fields& fields, ScriptTime& time) {
  fields.whole("trials", time.trials);
  fields.real("steps", time.steps);
  fields.real("evaluation", time.evaluation);
  fields.real("checkpoints", time.checkpoints);
  fields.real("pauses", time.pauses);
}

static void options_of(Fields& fields, Script& script) {
  if (ordered_json* const output = fields.output()) {
    ordered_json& options = (*output)["options"] = ordered_json::object();
    for (const auto& [knob, option] : script.options) {
      options[knob] = option;
    }
    return;
  }
  fields.each_member("options", [&script](const std::string& knob, const json& option) {
    if (option.is_string()) {
      script.options.emplace_back(one_line(knob), cleaned(option.get<std::string>()));
    }
  });
}

void fields_of(Fields& fields, Script& script) {
  fields.text_list("command", script.command);
  fields.text("folder", script.folder);
  fields.text("count", script.count);
  fields.text_or_null("python", script.python);
  fields.whole("ranks", script.ranks);
  options_of(fields, script);
  setting(fields, "observed", script.observed);
  fields.list("places", script.places);
  if (fields.has("lines", !script.lines.empty())) {
    fields.list("lines", script.lines);
  }
  fields.list("knobs", script.knobs);
  fields.record("time", script.time);
  fields.text_list("notes", script.notes);
}

std::string place_text(const ScriptPlace& place) {
  return place.file + ":" + std::to_string(place.line);
}

std::string Script::command_words() const {
  return command.size() == 3 && command[1] == "-c" ? command[2] : joined(command, " ");
}

std::string Script::places_of(const std::string& what) const {
  std::vector<std::string> texts;
  for (const ScriptPlace& place : places) {
    const std::string text = place_text(place);
    if (place.what == what && std::find(texts.begin(), texts.end(), text) == texts.end()) {
      texts.push_back(text);
    }
  }
  return joined(texts);
}

}  // namespace tune::result
