// json_value POINTER...: reads JSON from standard input and prints the value at each JSON pointer,
// one a line. Exit code 1 when it does not parse or has no such value.

#include <nlohmann/json.hpp>

#include <iostream>

int main(int argc, char** argv) {
  try {
    const auto document = nlohmann::json::parse(std::cin);
    for (int i = 1; i < argc; ++i) {
      std::cout << document.at(nlohmann::json::json_pointer(argv[i])).dump() << '\n';
    }
    return 0;
  } catch (const nlohmann::json::exception& error) {
    std::cerr << "json_value: " << error.what() << '\n';
    return 1;
  }
}
