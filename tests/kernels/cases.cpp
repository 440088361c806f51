#include "tests/kernels/cases.hpp"

#include <algorithm>
#include <set>

#include "core/kernels/kernel.hpp"

namespace wgemm::tests {
namespace {

constexpr auto kRow = Order::row_major;
constexpr auto kCol = Order::col_major;

/// Two layouts that between them read each operand along k and across it, and store C along rows and columns.
/// (A column-major C is planned as the transposed product, so these are two texts of the four that a kernel
/// has.)
const std::vector<Layout> kTwoLayouts{{kRow, kRow, kRow}, {kRow, kRow, kCol}};
const std::vector<Layout> kFourLayouts{
    {kRow, kRow, kRow}, {kCol, kCol, kCol}, {kRow, kRow, kCol}, {kCol, kCol, kRow}};

Subject make_subject(std::string label, std::string kernel, Setting setting, DataType operands) {
  Subject subject;
  subject.label = std::move(label);
  subject.kernel = std::move(kernel);
  subject.setting = setting;
  subject.operands = operands;
  const auto parsed = kernels::parse(subject.kernel);
  if (!parsed) return subject;  // its cases fail with the planner's own words
  const auto figures = kernels::geometry(*parsed, operands);
  const auto nominal = [](std::uint64_t block) { return block == 1 ? 16 : block; };
  subject.family = parsed->family->name;
  subject.block = {nominal(figures->block_m), nominal(figures->block_n), nominal(figures->block_k)};
  subject.tiled = figures->workgroup_bytes > 0;
  return subject;
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

/// Whatever the tile is.
std::vector<Shape> odd_shapes(const Shape& block) {
  return {{1, 1, 1},                  // faults.md 3
          {1, 37, 19},                // one row
          {41, 1, 23},                // one column
          {7, 11, 13},                // primes
          {37, 41, 43},               //
          {64, 16, 128},              // rectangular
          {5, 200, 3},                //
          {19, 21, 1},                // K = 1
          {36, 44, 20},               // multiples of 4, which vectors of 4 take
          {36, 43, 20},               // one of them not
          {13, 9, 3 * block.k + 5}};  // K across several stages (faults.md 35)
}

std::vector<Shape> whole_shapes(const Shape& block) { return {block, {2 * block.m, block.n, 3 * block.k}}; }

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
    Case made{suite_name(group_, subject.label), tests::name(shape) + "." + letters(layout), subject.setting,
              make_problem(shape, layout, gap, subject.operands, c_type), PlanOptions{subject.kernel, edges}};
    if (gap != 0) made.name += ".gap" + std::to_string(gap);
    if (subject.operands != c_type) made.name += ".to_" + std::string(to_string(c_type));
    cases_.push_back(std::move(made));
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
    for (const auto& layout : kFourLayouts) {
      for (const std::uint64_t gap : {0, 1}) {
        for (const auto& shape : {Shape{1, 1, 1},
                                  {37, 41, 43},
                                  {5, 200, 3},
                                  {block.m + 1, block.n - 1, block.k + 1},
                                  {block.m, block.n + 1, block.k},
                                  block}) {
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
    writer.add(subject, odd_shapes(block), {kTwoLayouts[0]});
    writer.add(subject, {{block.m + 1, block.n - 1, block.k + 1}}, {kTwoLayouts[0]}, 1);
    writer.add(subject, whole_shapes(block), {kTwoLayouts[1]});
  }
  return writer.take();
}

/// f16 operands with C in f16 and in f32, for one rung of each family.
std::vector<Case> half_cases() {
  Writer writer("Half");
  if (!Bench::get().profile(Setting::standard).shader_f16) return {};
  std::set<std::string> families;
  for (auto subject : subjects(Setting::standard)) {
    if (!families.insert(subject.family).second) continue;
    subject.operands = DataType::f16;
    const auto& block = subject.block;
    for (const auto& shape : {Shape{1, 1, 1},
                              {7, 11, 13},
                              {37, 41, 43},
                              {36, 44, 20},
                              {13, 9, 3 * block.k + 5},
                              {block.m + 1, block.n - 1, block.k + 1},
                              block}) {
      for (const std::uint64_t gap : {0, 1}) {
        writer.add(subject, shape, kTwoLayouts[0], gap, DataType::f16, EdgePolicy::checked);
        writer.add(subject, shape, kTwoLayouts[1], gap, DataType::f32, EdgePolicy::checked);
      }
    }
    if (subject.tiled) {
      writer.add(subject, {37, 41, 43}, kTwoLayouts[0], 0, DataType::f16, EdgePolicy::padded);
    }
  }
  return writer.take();
}

std::vector<Case> emulated_cases() {
  Writer writer("Emulated");
  for (const auto& subject : emulated_subjects()) {
    const auto& block = subject.block;
    writer.add(subject,
               {{1, 1, 1}, {9, 11, 13}, {37, 41, 43}, {40, 48, 64}, {block.m + 1, block.n - 1, block.k + 1}},
               {kTwoLayouts[0]});
    if (subject.label.ends_with("LANES32")) {
      writer.add(subject, whole_shapes(block), {kTwoLayouts[0]});
      writer.add(subject, {{37, 41, 43}, {36, 44, 20}}, kTwoLayouts);
      writer.add(subject, {{37, 41, 43}}, kTwoLayouts, 1);
    }
  }
  return writer.take();
}

}  // namespace

std::string suite_name(const std::string& group, std::string label) {
  std::replace(label.begin(), label.end(), '-', '_');
  return group + "/" + Bench::get().library() + "." + label;
}

std::vector<Subject> subjects(Setting setting) {
  const auto profile = Bench::get().profile(setting);
  std::vector<Subject> found;
  for (const auto& rung : list_rungs()) {
    const auto chosen = rung_kernel(rung, profile);
    const auto kernel = kernels::parse(chosen.kernel);
    // An unknown name stays, so that its cases fail; what the device cannot run is left out.
    if (kernel && !kernels::check(*kernel, profile, chosen.operands)) continue;
    found.push_back(make_subject(std::string(rung.name), chosen.kernel, setting, chosen.operands));
  }
  return found;
}

std::vector<Subject> emulated_subjects() {
  std::vector<Subject> found;
  const auto add = [&](const std::string& shape, int lanes, DataType type) {
    const auto kernel = "subgroup-matrix_" + shape + "_LANES" + std::to_string(lanes);
    found.push_back(make_subject(kernel, kernel, Setting::emulated, type));
  };
  for (const int lanes : {4, 8, 16, 32, 64, 128}) add("MM8_MN8_MK8", lanes, DataType::f32);
  if (Bench::get().profile(Setting::emulated).shader_f16) {
    add("MM16_MN16_MK16", 32, DataType::f16);
    add("MM16_MN16_MK16", 64, DataType::f16);
    add("MM16_MN8_MK16", 32, DataType::f16);
    add("MM16_MN8_MK8", 32, DataType::f16);
    add("MM16_MN8_MK8", 8, DataType::f16);
  }
  return found;
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
