#include "core/batch_overlap.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <ranges>
#include <vector>

namespace wgemm {
namespace {

/// The place of a matrix: lines of `length` elements, `ld` apart.
struct Lines {
  std::int64_t count = 0;
  std::int64_t length = 0;
  std::int64_t ld = 0;
  [[nodiscard]] std::int64_t span() const { return (count - 1) * ld + length; }
};

Lines lines_of_c(const Problem& problem) {
  const bool by_row = problem.c.order == Order::row_major;
  return {static_cast<std::int64_t>(by_row ? problem.m : problem.n),
          static_cast<std::int64_t>(by_row ? problem.n : problem.m),
          static_cast<std::int64_t>(leading_dimension(problem, Matrix::c))};
}

/// Whether a matrix and another one that starts `distance` >= 0 elements behind it overlap.
bool overlap_at(const Lines& lines, std::int64_t distance) {
  if (distance >= lines.span()) return false;
  if (distance < lines.length) return true;
  // Its first line falls between the starts of two lines of the former.
  const auto line = distance / lines.ld;
  const auto column = distance % lines.ld;
  return column < lines.length || (line + 1 < lines.count && lines.ld - column < lines.length);
}

struct Dimension {
  std::int64_t stride;
  std::int64_t extent;
};

/// Whether two indices, whose distance along the dimensions before `d` adds up to `distance`, can be chosen
/// so that their matrices overlap. The dimensions go from the largest stride to the smallest; `reach[d]` is
/// how far those from d on lead.
bool any_overlap(const Lines& lines, const std::vector<Dimension>& dimensions,
                 const std::vector<std::int64_t>& reach, std::size_t d, std::int64_t distance, bool moved) {
  if (d == dimensions.size()) return moved && overlap_at(lines, distance < 0 ? -distance : distance);
  const auto [stride, extent] = dimensions[d];
  const auto near = lines.span() + reach[d + 1];  // further away than that nothing overlaps
  // The first step that is not 0 goes forward: the other half are the same pairs.
  const auto first = moved ? std::max(-(extent - 1), (-near - distance) / stride) : 0;
  const auto last = std::min(extent - 1, (near - distance) / stride);
  for (auto step = first; step <= last; ++step) {
    if (any_overlap(lines, dimensions, reach, d + 1, distance + step * stride, moved || step != 0))
      return true;
  }
  return false;
}

/// Whether the matrices are seen at once to lie apart. From the smallest stride on, a dimension that leads
/// beyond the last line, or from matrix to matrix within their lines, makes one larger matrix of them.
bool plainly_apart(const std::vector<Dimension>& dimensions, Lines lines) {
  for (const auto& [stride, extent] : std::views::reverse(dimensions)) {
    const auto further = (extent - 1) * stride;
    if (stride >= lines.span()) {
      lines = {1, further + lines.span(), further + lines.span()};
    } else if (stride >= lines.length && further + lines.length <= lines.ld) {
      lines.length += further;
    } else {
      return false;
    }
  }
  return true;
}

bool strided_overlap(const Batch& batch, const Lines& lines) {
  std::vector<Dimension> dimensions;
  for (std::uint32_t d = 0; d < batch.rank; ++d) {
    if (batch.extents.at(d) < 2) continue;
    dimensions.push_back(
        {static_cast<std::int64_t>(batch.c.at(d)), static_cast<std::int64_t>(batch.extents.at(d))});
  }
  std::ranges::sort(dimensions, std::ranges::greater{}, &Dimension::stride);
  if (plainly_apart(dimensions, lines)) return false;
  std::vector<std::int64_t> reach(dimensions.size() + 1, 0);
  for (auto d = dimensions.size(); d-- > 0;) {
    reach[d] = reach[d + 1] + (dimensions[d].extent - 1) * dimensions[d].stride;
  }
  return any_overlap(lines, dimensions, reach, 0, 0, false);
}

/// A part of a matrix as a rectangle in the plane whose rows are `ld` long.
struct Rectangle {
  std::int64_t first_row;
  std::int64_t end_row;
  std::int64_t first_column;
  std::int64_t end_column;
};

/// Whether rectangles intersect: a sweep over the rows, with those that are cut by a row in the order of
/// their columns.
bool rectangles_intersect(std::vector<Rectangle> rectangles) {
  std::ranges::sort(rectangles, {}, &Rectangle::first_row);
  std::multimap<std::int64_t, Rectangle> open;  // by end_row
  std::map<std::int64_t, std::int64_t> cut;     // first_column to end_column
  for (const auto& each : rectangles) {
    while (!open.empty() && open.begin()->first <= each.first_row) {
      cut.erase(open.begin()->second.first_column);
      open.erase(open.begin());
    }
    const auto next = cut.lower_bound(each.first_column);
    if (next != cut.end() && next->first < each.end_column) return true;
    if (next != cut.begin() && std::prev(next)->second > each.first_column) return true;
    cut.emplace_hint(next, each.first_column, each.end_column);
    open.emplace(each.end_row, each);
  }
  return false;
}

bool starts_overlap(std::vector<std::int64_t> starts, const Lines& lines) {
  std::ranges::sort(starts);
  bool interleaved = false;
  for (std::size_t i = 1; i < starts.size(); ++i) {
    const auto distance = starts[i] - starts[i - 1];
    if (overlap_at(lines, distance)) return true;
    interleaved = interleaved || distance < lines.span();
  }
  if (!interleaved) return false;
  std::vector<Rectangle> rectangles;
  rectangles.reserve(2 * starts.size());
  for (const auto start : starts) {
    const auto row = start / lines.ld;
    const auto column = start % lines.ld;
    const auto end = column + lines.length;
    rectangles.push_back({row, row + lines.count, column, std::min(end, lines.ld)});
    // Lines that begin near the end of a row go on in the next.
    if (end > lines.ld) rectangles.push_back({row + 1, row + 1 + lines.count, 0, end - lines.ld});
  }
  return rectangles_intersect(std::move(rectangles));
}

}  // namespace

bool outputs_overlap(const Problem& problem) {
  const auto lines = lines_of_c(problem);
  const auto& batch = problem.batch;
  if (lines.count == 0 || lines.length == 0 || batch.count() < 2) return false;
  if (batch.table.empty()) return strided_overlap(batch, lines);
  std::vector<std::int64_t> starts;
  starts.reserve(batch.table.size());
  for (const auto& entry : batch.table) starts.push_back(static_cast<std::int64_t>(entry.c));
  return starts_overlap(std::move(starts), lines);
}

}  // namespace wgemm
