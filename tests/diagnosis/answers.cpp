// answers: reads result.json from standard input and prints what a person reads first, one a line:
// "doubt RULE" for what the window or the machine did to it, then "advice RULE" by rank, and for a run
// "gain" with its headline.

#include <nlohmann/json.hpp>

#include <iostream>

int main() {
  try {
    const auto result = nlohmann::json::parse(std::cin);
    for (const auto& finding : result.at("findings")) {
      const auto& group = finding.at("group");
      if (finding.at("state") == "fired" && (group == "validity" || group == "environment")) {
        std::cout << "doubt " << finding.at("rule").get<std::string>() << '\n';
      }
    }
    for (const auto& recommendation : result.at("recommendations")) {
      std::cout << "advice " << recommendation.at("rule").get<std::string>() << '\n';
    }
    if (result.at("summary").is_object()) {
      std::cout << "gain " << result.at("summary").at("headline").get<std::string>() << '\n';
    }
    return 0;
  } catch (const nlohmann::json::exception& error) {
    std::cerr << "answers: " << error.what() << '\n';
    return 1;
  }
}
