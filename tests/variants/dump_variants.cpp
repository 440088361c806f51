// Writes the shader texts as JSON lines, for validate.mjs.
#include <iostream>
#include <nlohmann/json.hpp>

#include "tests/variants/variants.hpp"

int main() {
  const auto refused = wgemm::testing::for_each_variant(wgemm::Dialect::dawn, [](const auto& variant) {
    const auto& [shader, matrix_dialect, pipeline] = variant;
    const nlohmann::json line{{"label", shader.label},
                              {"wgsl", shader.wgsl},
                              {"entry_point", shader.entry_point},
                              {"matrix_dialect", to_string(matrix_dialect)},
                              {"pipeline", pipeline}};
    std::cout << line.dump() << '\n';
  });
  return refused == 0 ? 0 : 1;
}
