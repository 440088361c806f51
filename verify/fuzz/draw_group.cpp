// What changes a text: kernel, types, layouts, epilogue.
#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/kernels/kernel.hpp"
#include "verify/fuzz/draw.hpp"
#include "verify/fuzz/random.hpp"

namespace wgemm::verify::fuzz {
namespace {

constexpr std::size_t kOfAFamily = 12;  ///< configurations of each family that are kept

// Of a hundred groups: f32 below the first number, f16 from there, ...
constexpr std::uint64_t kHalfs = 45;
constexpr std::uint64_t kHalfSums = 62;
constexpr std::uint64_t kBytes = 68;
constexpr std::uint64_t kQuantised = 84;
constexpr std::uint64_t kCount = 100;

/// Most draws of a family are of operands that it takes; the others must be refused.
std::uint64_t draw_kind(const kernels::Family* family, Random& random) {
  const auto dice = random.below(kCount);
  if (family == nullptr || random.one_in(10)) return dice;
  if (family->access == kernels::Access::words_along_k) return kBytes;
  return family->matrix_units ? dice * kHalfSums / kCount : dice;
}

void draw_types(Group& group, const kernels::Family* family, Random& random) {
  auto& problem = group.form;
  const auto dice = draw_kind(family, random);
  const auto floating = [&] { return random.one_in(3) ? DataType::f16 : DataType::f32; };
  if (dice < kHalfs) {  // f32
    problem.c.type = random.one_in(6) ? DataType::f16 : DataType::f32;
  } else if (dice < kBytes) {
    problem.a.type = problem.b.type = DataType::f16;
    problem.c.type = floating();
    if (dice >= kHalfSums) problem.accumulate = Accumulate::f16;
  } else if (dice < kQuantised) {
    const std::array bytes{DataType::i8, DataType::u8};
    problem.a.type = random.pick(bytes);
    problem.b.type = random.pick(bytes);
    problem.c.type = random.one_in(3) ? floating() : DataType::i32;
  } else {
    problem.a.type = floating();
    problem.b.type = random.pick(std::array{DataType::u4, DataType::i4, DataType::u8, DataType::i8});
    problem.c.type = floating();
    problem.quantization = {random.pick(std::array{16U, 32U, 64U}), floating(), random.one_in(2)};
  }
}

void draw_epilogue(Group& group, Random& random) {
  auto& epilogue = group.form.epilogue;
  const auto floating = [&] { return random.one_in(3) ? DataType::f16 : DataType::f32; };
  if (group.form.c.type == DataType::i32) {
    group.beta = random.one_in(3);
    return;
  }
  group.scaled = random.one_in(3);
  group.beta = random.one_in(3);
  if (random.one_in(3)) epilogue.bias = random.pick(std::array{Bias::per_row, Bias::per_column});
  epilogue.bias_type = floating();
  if (random.one_in(2)) epilogue.activation = static_cast<Activation>(random.below(6));
  if (random.one_in(4)) {
    epilogue.add_residual = true;
    epilogue.residual.type = floating();
    epilogue.residual.order = random.one_in(2) ? Order::row_major : Order::col_major;
  }
}

void draw_layouts(Group& group, Random& random) {
  auto& problem = group.form;
  const auto order = [&] { return random.one_in(2) ? Order::row_major : Order::col_major; };
  const auto trans = [&] { return random.one_in(2) ? Transpose::none : Transpose::transpose; };
  problem.a.order = order();
  problem.b.order = order();
  problem.c.order = order();
  problem.trans_a = trans();
  problem.trans_b = trans();
  if (problem.quantization.block != 0) {  // by columns of op(B)
    problem.trans_b = problem.b.order == Order::row_major ? Transpose::transpose : Transpose::none;
  }
}

/// What a driver's compilation grows with: values in registers, and how often the loop over a tile is
/// unrolled.
std::uint64_t text_cost(const kernels::Kernel& kernel) {
  const auto figures = kernels::geometry(kernel, DataType::f32);
  if (!figures) return std::numeric_limits<std::uint64_t>::max();
  if (figures->operations != 0) {  // emulated, each is loops over what a lane has of the matrices
    const auto value = [&](std::string_view name) {
      return static_cast<std::uint64_t>(kernels::value_of(kernel, name));
    };
    return figures->operations * value("MM") * value("MN") * value("MK") / value("LANES");
  }
  const auto steps = figures->block_k / kernels::slices(kernel);
  return std::uint64_t{figures->registers} * (8 + steps) + figures->block_m + figures->block_n;
}

/// At most a dozen, spread over all.
std::vector<std::string> thinned(const std::vector<std::string>& all) {
  std::vector<std::string> some;
  const auto count = std::min(all.size(), kOfAFamily);
  some.reserve(count);
  for (std::size_t i = 0; i < count; ++i) some.push_back(all[(2 * i + 1) * all.size() / (2 * count)]);
  return some;
}

std::vector<std::string> small_kernels_of(const kernels::Family& family, const DeviceProfile& profile) {
  std::vector<std::pair<std::uint64_t, std::string>> all;
  kernels::for_each_configuration(family, [&](const kernels::Kernel& kernel) {
    const bool runs = kernels::check(kernel, profile, DataType::f32) ||
                      kernels::check(kernel, profile, DataType::f16) ||
                      kernels::check(kernel, profile, DataType::i8);
    if (!runs) return;
    // With operands of every type that may be drawn for it.
    const auto largest = kernels::geometry(kernel, DataType::f32);
    if (!largest || largest->workgroup_bytes > profile.limits.max_compute_workgroup_storage_size) return;
    all.emplace_back(text_cost(kernel), kernels::name(kernel));
  });
  std::ranges::sort(all);
  std::vector<std::string> cheap;
  for (const auto& [cost, name] : all) {
    if (cost <= 2 * all.front().first) cheap.push_back(name);
  }
  return thinned(cheap);
}

}  // namespace

std::vector<std::string> small_kernels(const DeviceProfile& profile, const std::vector<std::string>& names) {
  std::vector<std::string> found;
  if (names.empty()) found.emplace_back();
  for (const auto& family : kernels::families()) {
    if (!names.empty() && std::ranges::find(names, family.name) == names.end()) continue;
    for (auto& kernel : small_kernels_of(family, profile)) found.push_back(std::move(kernel));
  }
  for (const auto& name : names) {
    if (kernels::find_family(name) != nullptr) continue;
    if (const auto kernel = kernels::parse(name)) found.push_back(kernels::name(*kernel));
  }
  return found;
}

Group draw_group(const std::vector<std::string>& kernels, std::uint64_t seed, std::uint64_t number) {
  // A number that no case has.
  Random random(seed, number, ~std::uint64_t{0});
  Group group;
  // Each family as often as another, however many configurations it has.
  std::map<std::string, std::vector<std::string>> families;
  for (const auto& name : kernels) families[name.substr(0, name.find('_'))].push_back(name);
  auto family = families.begin();
  std::advance(family, static_cast<std::ptrdiff_t>((number + random.below(2)) % families.size()));
  group.options.kernel = family->second.at(random.below(family->second.size()));
  if (const auto kernel = kernels::parse(group.options.kernel)) {
    if (const auto figures = kernels::geometry(*kernel, DataType::f32)) {
      group.block_m = figures->block_m;
      group.block_n = figures->block_n;
      group.block_k = figures->block_k;
    }
  }
  draw_types(group, kernels::find_family(family->first), random);
  draw_epilogue(group, random);
  draw_layouts(group, random);
  group.options.edges = random.one_in(5) ? EdgePolicy::padded : EdgePolicy::checked;
  // Many parts of few elements are added by another text than few parts.
  group.options.split_k = random.one_in(4) ? (random.one_in(3) ? 8 : 2) : 1;
  group.aligned = random.one_in(3);
  group.whole = random.one_in(5);
  group.offsets = random.one_in(2);
  if (random.one_in(2)) group.rank = static_cast<std::uint32_t>(random.between(1, 4));
  if (random.one_in(6)) {
    group.table = true;
    group.rank = 0;
  }
  group.empty_k = number % 8 == 0;
  if (random.one_in(6)) group.workgroups_per_dimension = static_cast<std::uint32_t>(random.between(1, 3));
  group.small_bindings = random.one_in(8);
  group.options.dequantise = group.form.quantization.block != 0 && random.one_in(3);
  return group;
}

}  // namespace wgemm::verify::fuzz
