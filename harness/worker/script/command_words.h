#pragma once

#include "trial/script.h"

#include <string>
#include <vector>

namespace tune::script {

// Words at the end of a command, or of the line that it gives to a shell, which reads each as one
// word, whatever is in it. Later options win, in argparse and in most others.

/// An option of the script's own with its value, as trial::option_text() writes it.
void add_option(const std::string& option,
                const trial::KnobValue& value,
                std::vector<std::string>& words);

void add_word(const std::string& word, std::vector<std::string>& words);

/// The words of a command; of a line for the shell without a thought of its quotes.
std::vector<std::string> plain_words(const std::vector<std::string>& words);

}  // namespace tune::script
