#include "campaign/unconfirmed.h"

#include "trial/knob_catalog.h"

#include <cstddef>
#include <vector>

namespace tune::campaign {

std::string unconfirmed_text(const scenario::Plan& plan, const Progress& progress) {
  const std::vector<std::size_t> left = progress.without_room();
  std::string text;
  for (const std::size_t index : left) {
    const scenario::Cell& cell = plan.cells[index];
    text += (text.empty() ? "" : ", ") + cell.id + " (" + trial::to_text(cell.changed) + ")";
  }
  if (left.empty()) {
    return text;
  }
  const std::size_t confirmed = progress.confirmation().rows.size();
  text += left.size() == 1 ? " was" : " were";
  text += " not confirmed: the budget had room for the pairs of ";
  text += confirmed == 1 ? "one cell" : std::to_string(confirmed) + " cells";
  return text + " only";
}

}  // namespace tune::campaign
