#include "profile/dependency_graph.h"

#include <numeric>
#include <utility>

namespace tune::profile {

namespace {

constexpr std::array<std::string_view, kPathParts> kNames = {"cpu",
                                                             "host_gap",
                                                             "data_loading",
                                                             "kernel",
                                                             "communication",
                                                             "copy",
                                                             "launch",
                                                             "kernel_delay",
                                                             "sync"};

// Indices of the edges, by the node that they leave; those of node n begin at first[n].
struct Leaving {
  std::vector<std::uint32_t> first, edges;
};

Leaving edges_by_source(const DependencyGraph& graph) {
  Leaving leaving;
  leaving.first.assign(graph.node_ns.size() + 1, 0);
  for (const PathEdge& edge : graph.edges) {
    ++leaving.first[edge.from + 1];
  }
  std::partial_sum(leaving.first.begin(), leaving.first.end(), leaving.first.begin());
  std::vector<std::uint32_t> next(leaving.first.begin(), leaving.first.end() - 1);
  leaving.edges.resize(graph.edges.size());
  for (std::uint32_t i = 0; i < graph.edges.size(); ++i) {
    leaving.edges[next[graph.edges[i].from]++] = i;
  }
  return leaving;
}

}  // namespace

std::string_view path_part_name(PathPart part) {
  return kNames[static_cast<std::size_t>(part)];
}

std::uint32_t DependencyGraph::connect(std::uint32_t from,
                                       std::uint32_t to,
                                       const PathEdge& kind,
                                       bool weighs) {
  const std::int64_t between_ns = node_ns[to] - node_ns[from];
  if (between_ns < 0) {
    return kNone;
  }
  edges.push_back({from, to, kind.event, kind.part, weighs ? between_ns : 0});
  return static_cast<std::uint32_t>(edges.size() - 1);
}

bool sort_edges(DependencyGraph& graph) {
  const Leaving leaving = edges_by_source(graph);
  const std::size_t nodes = graph.node_ns.size();
  std::vector<std::uint32_t> missing(nodes);  // edges into the node whose source is not done
  for (const PathEdge& edge : graph.edges) {
    ++missing[edge.to];
  }
  std::vector<std::uint32_t> ready;
  ready.reserve(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (missing[node] == 0) {
      ready.push_back(node);
    }
  }
  std::vector<PathEdge> sorted;
  sorted.reserve(graph.edges.size());
  for (std::size_t i = 0; i < ready.size(); ++i) {  // grows within
    const std::uint32_t node = ready[i];
    for (std::uint32_t at = leaving.first[node]; at < leaving.first[node + 1]; ++at) {
      const PathEdge& edge = graph.edges[leaving.edges[at]];
      sorted.push_back(edge);
      if (--missing[edge.to] == 0) {
        ready.push_back(edge.to);
      }
    }
  }
  graph.edges = std::move(sorted);
  return ready.size() == nodes;
}

}  // namespace tune::profile
