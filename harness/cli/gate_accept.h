#pragma once

namespace CLI {
class App;
}

namespace tune::cli {

struct Invocation;

/// `tune gate accept ROW FILE --max 6% --until DATE --reason TEXT`: writes into a scenario that a
/// gated row may be worse until that day.
void add_gate_accept(CLI::App& gate, Invocation& invocation);

}  // namespace tune::cli
