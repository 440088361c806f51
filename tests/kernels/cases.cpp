#include "tests/kernels/cases.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace wgemm::tests {
namespace {

constexpr auto kRow = Order::row_major;
constexpr auto kCol = Order::col_major;

/// Two layouts that between them read each operand along k and across it, and store C along rows and columns:
/// two of the four texts that a kernel has. (A column-major C is planned as the transposed product.)
const std::vector<Layout> kTwoLayouts{{kRow, kRow, kRow}, {kRow, kRow, kCol}};
/// The same two texts, reached in both ways.
const std::vector<Layout> kFourLayouts{
    {kRow, kRow, kRow}, {kCol, kCol, kCol}, {kRow, kRow, kCol}, {kCol, kCol, kRow}};

/// Whatever the tile is.
std::vector<Shape> odd_shapes(const Shape& block) {
  return {{1, 1, 1},
          {1, 37, 19},                // one row
          {41, 1, 23},                // one column
          {7, 11, 13},                // primes
          {37, 41, 43},               //
          {64, 16, 128},              // rectangular
          {5, 200, 3},                //
          {19, 21, 1},                // K = 1
          {36, 44, 20},               // multiples of 4, for vectors of 4
          {36, 43, 20},               // one of them not
          {13, 9, 3 * block.k + 5}};  // K across several stages (faults.md 35)
}

/// One below, at and one above the tile in each of m, n and k. The whole tile alone is left out: its text
/// differs.
std::vector<Shape> around_the_tile(const Shape& block) {
  std::vector<Shape> shapes;
  for (const auto m : {block.m - 1, block.m, block.m + 1}) {
    for (const auto n : {block.n - 1, block.n, block.n + 1}) {
      for (const auto k : {block.k - 1, block.k, block.k + 1}) {
        if (Shape{m, n, k} != block) shapes.push_back({m, n, k});
      }
    }
  }
  return shapes;
}

/// No multiple of 4 anywhere: one text for all of them, in each layout.
std::vector<Shape> few_shapes(const Shape& block) {
  return {{1, 1, 1},
          {7, 11, 13},
          {37, 41, 43},
          {13, 9, 3 * block.k + 5},
          {block.m - 1, block.n + 1, block.k + 1},
          {block.m + 1, block.n - 1, block.k + 1},
          {2 * block.m + 1, 2 * block.n + 1, 2 * block.k - 1}};
}

std::vector<Shape> whole_shapes(const Shape& block) { return {block, {2 * block.m, block.n, 3 * block.k}}; }

/// Collects the cases of a group.
class Writer {
 public:
  explicit Writer(std::string group) : group_(std::move(group)) {}

  void add(const Subject& subject, const std::vector<Shape>& shapes, const std::vector<Layout>& layouts,
           std::uint64_t gap = 0) {
    for (const auto& layout : layouts) {
      for (const auto& shape : shapes)
        add(subject, shape, layout, gap, subject.operands, EdgePolicy::checked);
    }
  }

  void add(const Subject& subject, const Shape& shape, const Layout& layout, std::uint64_t gap,
           DataType c_type, EdgePolicy edges) {
    auto label = tests::name(shape) + "." + letters(layout);
    if (gap != 0) label += ".gap" + std::to_string(gap);
    if (subject.operands != c_type) label += ".to_" + std::string(to_string(c_type));
    if (edges == EdgePolicy::padded) label += ".padded";
    cases_.push_back({suite_name(group_, subject.label),
                      std::move(label),
                      subject.setting,
                      make_problem(shape, layout, gap, subject.operands, c_type),
                      {subject.kernel, edges}});
  }

  std::vector<Case> take() { return std::move(cases_); }

 private:
  std::string group_;
  std::vector<Case> cases_;
};

/// Every shape in every layout, tight and with gaps between the lines.
std::vector<Case> full_cases(const std::string& group, Setting setting) {
  Writer writer(group);
  for (const auto& subject : subjects(setting)) {
    const auto& block = subject.block;
    if (subject.heavy) {
      writer.add(subject, few_shapes(block), kTwoLayouts);
      writer.add(subject, {{block.m + 1, block.n - 1, block.k + 1}}, kTwoLayouts, 1);
      writer.add(subject, whole_shapes(block), {kTwoLayouts[0]});
      continue;
    }
    writer.add(subject, odd_shapes(block), all_layouts());
    writer.add(subject, around_the_tile(block), all_layouts());
    writer.add(subject, whole_shapes(block), kTwoLayouts);
    for (const std::uint64_t gap : {1, 4}) {
      writer.add(subject, {{7, 11, 13}, {36, 44, 20}, {block.m + 1, block.n - 1, block.k + 1}}, all_layouts(),
                 gap);
      writer.add(subject, {block}, kTwoLayouts, gap);
    }
  }
  return writer.take();
}

/// Zero padding instead of bounds checks, for each kernel with tiles.
std::vector<Case> padded_cases() {
  Writer writer("Padded");
  for (const auto& subject : subjects(Setting::standard)) {
    if (!subject.tiled) continue;
    const auto& block = subject.block;
    // The padded text is that of whole tiles, whatever the shape.
    for (const auto& layout : subject.heavy ? std::vector<Layout>{kFourLayouts[0]} : kFourLayouts) {
      for (const std::uint64_t gap : {0, 1}) {
        for (const auto& shape : {Shape{1, 1, 1},
                                  {37, 41, 43},
                                  {5, 200, 3},
                                  {block.m + 1, block.n - 1, block.k + 1},
                                  {block.m, block.n + 1, block.k}}) {
          writer.add(subject, shape, layout, gap, subject.operands, EdgePolicy::padded);
        }
      }
    }
  }
  return writer.take();
}

std::vector<Case> unchecked_cases() {
  Writer writer("Unchecked");
  for (const auto& subject : subjects(Setting::unchecked)) {
    const auto& block = subject.block;
    writer.add(subject, few_shapes(block), {kTwoLayouts[0]});
    writer.add(subject, {{block.m + 1, block.n - 1, block.k + 1}}, {kTwoLayouts[0]}, 1);
    if (!subject.heavy) writer.add(subject, whole_shapes(block), {kTwoLayouts[1]});
  }
  return writer.take();
}

/// f16 operands, with C in f16 and in f32.
std::vector<Case> half_cases() {
  Writer writer("Half");
  for (const auto& subject : half_subjects()) {
    const auto& block = subject.block;
    auto shapes = few_shapes(block);
    shapes.push_back({36, 44, 20});
    shapes.push_back(block);
    for (const auto& shape : shapes) {
      for (const std::uint64_t gap : {0, 1}) {
        writer.add(subject, shape, kTwoLayouts[0], gap, DataType::f16, EdgePolicy::checked);
        writer.add(subject, shape, kTwoLayouts[1], gap, DataType::f32, EdgePolicy::checked);
      }
    }
    if (subject.tiled)
      writer.add(subject, {37, 41, 43}, kTwoLayouts[0], 0, DataType::f16, EdgePolicy::padded);
  }
  return writer.take();
}

std::vector<Case> emulated_cases() {
  Writer writer("Emulated");
  for (const auto& subject : emulated_subjects()) {
    const auto& block = subject.block;
    writer.add(subject, {{1, 1, 1}, {9, 11, 13}, {37, 41, 43}, {block.m + 1, block.n - 1, block.k + 1}},
               {kTwoLayouts[0]});
    writer.add(subject, {{37, 41, 43}}, {kTwoLayouts[0]}, 1);
    if (!subject.label.ends_with("MK8_LANES32")) continue;  // each further text takes seconds to compile
    writer.add(subject, whole_shapes(block), {kTwoLayouts[0]});
    writer.add(subject, {{37, 41, 43}, {36, 44, 20}}, {kTwoLayouts[1]});
  }
  return writer.take();
}

}  // namespace

std::string suite_name(const std::string& group, std::string label) {
  std::ranges::replace(label, '-', '_');
  return group + "/" + Bench::get().library() + "." + label;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (auto group : {full_cases("Kernels", Setting::standard), padded_cases(), half_cases(), emulated_cases(),
                     unchecked_cases(), full_cases("Minimum", Setting::minimum)}) {
    cases.insert(cases.end(), std::make_move_iterator(group.begin()), std::make_move_iterator(group.end()));
  }
  return cases;
}

}  // namespace wgemm::tests
