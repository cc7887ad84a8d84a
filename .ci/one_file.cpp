// .ci/clock.sh compiles this file to measure the machine's speed. A change here requires a new
// measurement of "one file" in .ci/budget.tsv.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

int main(int count, char** words) {
  std::map<std::string, std::vector<int>> places;
  for (int i = 0; i < count; ++i)
    places[words[i]].push_back(i);
  for (auto& [word, numbers] : places)
    std::sort(numbers.begin(), numbers.end());
  return static_cast<int>(places.size()) % 2;
}
