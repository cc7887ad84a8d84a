#include "cli/plain_row.h"

namespace tune::cli {

std::string plain_row(const std::vector<std::string>& cells) {
  constexpr unsigned char kFirstPrintable = 0x20, kDelete = 0x7F;
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += i == 0 ? "" : "\t";
    for (const char letter : cells[i]) {
      const auto code = static_cast<unsigned char>(letter);
      line += code < kFirstPrintable || code == kDelete ? ' ' : letter;
    }
  }
  return line + "\n";
}

}  // namespace tune::cli
