// difficult-pages FOLDER: report.html of every run that is hard to render, for a browser.

#include "difficult_results.h"
#include "report/html.h"
#include "sample_result.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: difficult-pages FOLDER\n";
    return 2;
  }
  try {
    auto all = tune::report::difficult_results();
    all.emplace_back("500 cells", tune::report::result_with_cells(500));
    for (const auto& [name, result] : all) {
      std::string file = name;
      std::replace_if(
          file.begin(), file.end(), [](char c) { return c == ' ' || c == ','; }, '-');
      std::ofstream page(std::filesystem::path(argv[1]) / (file + ".html"), std::ios::binary);
      page << tune::report::to_html(result);
      if (!page.flush()) {
        std::cerr << file << ": cannot be written\n";
        return 1;
      }
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
