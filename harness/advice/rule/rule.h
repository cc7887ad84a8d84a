#pragma once

#include "base/expression/expression.h"
#include "base/expression/value.h"
#include "scenario/complaints.h"
#include "trial/knob_catalog.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tune::rule {

/// What a rule is about. Rules of validity are evaluated first.
enum class Group {
  validity,
  environment,
  input,
  transfers,
  launch,
  compute,
  distributed,
  memory,
  host
};

/// How much a finding matters. from_gain: what the upper predicted gain says.
enum class Severity { from_gain, info, low, medium, high };

/// One level of a severity that depends on what was found.
struct Grade {
  Severity level = Severity::info;
  std::optional<expression::Expression> when;  ///< nothing: where no level before it holds
};

/// A threshold, `limit.<name>` in expressions.
struct Limit {
  std::string name;
  expression::Value value;
  std::string text;    ///< as written: "3%"
  std::string source;  ///< who uses it
  bool is_calibrated = false;
};

/// An expression with a name, `let.<name>` in the expressions after it.
struct Definition {
  std::string name;
  expression::Expression value;
};

/// One knob and its new value, fixed or computed.
struct KnobChange {
  std::string knob;
  std::variant<trial::KnobValue, expression::Expression> to;
  std::optional<expression::Expression> when;  ///< proposed only where this is true
};

/// A sentence that a rule says: always, or only where a condition is true.
struct Sentence {
  std::string words;
  std::optional<expression::Expression> when;
};

struct Change {
  std::vector<KnobChange> knobs;
  /// Code with placeholders (placeholders_in): the first that holds, and the last one always does.
  /// Empty: there is none.
  std::vector<Sentence> cpp, python;
  std::optional<Sentence> also;  ///< follows the code where it holds
  /// "NAME=value", several that belong together with a space between; each entry does it alone.
  /// With placeholders, too.
  std::vector<std::string> environment;
  std::string text;  ///< what neither a knob, code nor a variable can do
};

/// What the change is predicted to gain; 0.1 is 10 % more samples per second.
struct Gain {
  enum class Model {
    none,
    amdahl,
    differential,
    pipeline,
    roofline,
    critical_path,  ///< amdahl, where the share is what the path through a trace would save
    imbalance,      ///< all ranks wait for the slowest
    measured
  };

  Model model = Model::none;
  std::optional<expression::Expression> when;   ///< where it is not true, `otherwise` holds
  std::optional<expression::Expression> share;  ///< takes_share(): the exposed share of the step
  std::array<expression::Expression, 2> removable;  ///< with share: from, to
  std::optional<expression::Expression> low, high;  ///< the others: the gain itself
  std::shared_ptr<const Gain> otherwise;  ///< taken when a term of this gain is unknown, too
  /// What ending the causes would gain: known only where one of `explained_by` fired, and never
  /// promised by this rule itself.
  bool is_of_causes = false;
};

/// A rule that another one names, and where.
struct Related {
  std::string id;
  scenario::Mark mark;
};

/// One YAML file of rules/, checked: its expressions have types, its names exist.
struct Rule {
  std::string file;  ///< as complaints name it
  std::string text;  ///< of the file
  std::string id;
  Group group = Group::validity;
  std::string title, question;
  /// Why the rule fires, with `{name}` for values: the first that holds and whose values are known.
  std::vector<Sentence> because;
  std::optional<expression::Expression> applies;
  std::vector<std::string> needs;
  std::vector<Limit> limits;
  std::vector<Definition> let;  ///< each uses those before it alone
  expression::Expression when;
  Severity severity = Severity::from_gain;  ///< of graded ones that where no `when` of them is true
  std::vector<Grade> grades;                ///< the first that holds; empty: `severity` always
  std::vector<std::string> evidence;
  Change change;
  Gain gain;
  bool preserves_numerics = true;
  bool helps_python = true;  ///< false: the change is LibTorch's own
  std::string risk, verify;
  int guidance = 1;  ///< 3: one knob, 2: a change of code, 1: needs thought
  std::vector<Related> explained_by, mutes, conflicts;
  bool rejects_window = false;  ///< while it fires, nothing of the profiled window is believed
  std::vector<std::string> links;
  scenario::Mark id_mark;

  /// Null when there is no such limit.
  const Limit* find_limit(const std::string& name) const;
};

/// "validity", "input": as a rule file writes it.
const char* to_text(Group group);
/// "from-gain", "info", "low".
const char* to_text(Severity severity);
/// The word of the rule, or "graded".
const char* severity_word(const Rule& rule);
/// "amdahl", "critical-path".
const char* to_text(Gain::Model model);

/// Whether the model is a share of the step and how much of it can go; the others have the gain
/// itself.
bool takes_share(Gain::Model model);

/// `{num_workers}` in the code of a rule: the value that is proposed for the knob, else
/// the one that it has; `{optimizer_class}`: a value of `needs`.
struct Placeholder {
  std::size_t begin = 0, size = 0;  ///< in the text, with the braces
  std::string name;
};

/// In the order of the text: a name of small letters, digits and `_` between braces without a
/// space. Other braces are code.
std::vector<Placeholder> placeholders_in(std::string_view code);

/// `{name}` in a sentence of `because`: its value, in per cent where " %" follows. `{?name}`: no
/// text, the sentence holds only where the value is true.
struct Slot {
  std::size_t begin = 0, size = 0;  ///< in the sentence, with the braces and what follows of it
  std::string name;
  bool is_condition = false, is_percentage = false;
};
std::vector<Slot> slots_in(std::string_view sentence);

/// A number as a limit is written: "3%", "10us", "-2", "32 MiB". Nothing for anything else.
std::optional<expression::Value> read_quantity(const std::string& text);

}  // namespace tune::rule
