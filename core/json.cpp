// Plans and profiles as JSON text.
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "wgemm/device_profile.hpp"
#include "wgemm/plan.hpp"

namespace wgemm {
namespace {

using Json = nlohmann::ordered_json;

Json layout_json(const Problem& problem, Matrix matrix) {
  const auto& layout = layout_of(problem, matrix);
  const auto shape = stored_shape(problem, matrix);
  return {{"type", to_string(layout.type)},
          {"order", to_string(layout.order)},
          {"rows", shape.rows},
          {"cols", shape.cols},
          {"ld", leading_dimension(problem, matrix)},
          {"offset", layout.offset}};
}

Json batch_json(const Batch& batch) {
  auto dimensions = Json::array();
  for (std::uint32_t d = 0; d < batch.rank; ++d) {
    dimensions.push_back({{"extent", batch.extents.at(d)},
                          {"a", batch.a.at(d)},
                          {"b", batch.b.at(d)},
                          {"c", batch.c.at(d)},
                          {"residual", batch.residual.at(d)}});
  }
  return dimensions;
}

Json epilogue_json(const Problem& problem) {
  const auto& epilogue = problem.epilogue;
  Json json{{"bias", to_string(epilogue.bias)}, {"activation", to_string(epilogue.activation)}};
  if (epilogue.bias != Bias::none) json["bias_type"] = to_string(epilogue.bias_type);
  if (epilogue.activation == Activation::clamp) {
    json["lower"] = epilogue.lower;
    json["upper"] = epilogue.upper;
  }
  if (epilogue.add_residual) json["residual"] = layout_json(problem, Matrix::residual);
  return json;
}

Json shader_json(const Shader& shader) {
  return {{"label", shader.label},
          {"entry_point", shader.entry_point},
          {"workgroup_size", shader.workgroup_size},
          {"needs_f16", shader.needs_f16},
          {"needs_subgroups", shader.needs_subgroups},
          {"needs_subgroup_matrix", shader.needs_subgroup_matrix},
          {"proven_in_bounds", shader.proven_in_bounds},
          {"wgsl", shader.wgsl}};
}

Json step_json(const Step& step) {
  auto bindings = Json::array();
  for (const auto& binding : step.bindings) {
    bindings.push_back({{"index", binding.index},
                        {"buffer", binding.buffer},
                        {"writable", binding.writable},
                        {"offset", binding.offset},
                        {"bytes", binding.bytes}});
  }
  auto dispatches = Json::array();
  for (const auto& dispatch : step.dispatches) {
    dispatches.push_back({{"workgroups", dispatch.workgroups}, {"uniforms", dispatch.uniforms}});
  }
  return {{"kind", to_string(step.kind)},
          {"shader", step.shader},
          {"bindings", bindings},
          {"uniform_binding", step.uniform_binding},
          {"workgroup_flops", step.workgroup_flops},
          {"dispatches", dispatches}};
}

Json limits_json(const Limits& limits) {
  return {{"max_storage_buffer_binding_size", limits.max_storage_buffer_binding_size},
          {"max_buffer_size", limits.max_buffer_size},
          {"max_compute_workgroup_storage_size", limits.max_compute_workgroup_storage_size},
          {"max_compute_invocations_per_workgroup", limits.max_compute_invocations_per_workgroup},
          {"max_compute_workgroup_size_x", limits.max_compute_workgroup_size_x},
          {"max_compute_workgroup_size_y", limits.max_compute_workgroup_size_y},
          {"max_compute_workgroup_size_z", limits.max_compute_workgroup_size_z},
          {"max_compute_workgroups_per_dimension", limits.max_compute_workgroups_per_dimension},
          {"max_storage_buffers_per_shader_stage", limits.max_storage_buffers_per_shader_stage},
          {"min_storage_buffer_offset_alignment", limits.min_storage_buffer_offset_alignment},
          {"min_uniform_buffer_offset_alignment", limits.min_uniform_buffer_offset_alignment}};
}

}  // namespace

std::string to_json(const Plan& plan) {
  const auto& problem = plan.problem;
  Json json{{"version", 1},
            {"kernel", plan.kernel},
            {"problem",
             {{"m", problem.m},
              {"n", problem.n},
              {"k", problem.k},
              {"trans_a", problem.trans_a == Transpose::transpose},
              {"trans_b", problem.trans_b == Transpose::transpose},
              {"alpha", problem.alpha},
              {"beta", problem.beta},
              {"a", layout_json(problem, Matrix::a)},
              {"b", layout_json(problem, Matrix::b)},
              {"c", layout_json(problem, Matrix::c)},
              {"batch", batch_json(problem.batch)},
              {"epilogue", epilogue_json(problem)}}}};
  auto& buffers = json["buffers"] = Json::array();
  for (const auto& buffer : plan.buffers)
    buffers.push_back({{"role", to_string(buffer.role)}, {"bytes", buffer.bytes}});
  auto& steps = json["steps"] = Json::array();
  for (const auto& step : plan.steps) steps.push_back(step_json(step));
  auto& shaders = json["shaders"] = Json::array();
  for (const auto& shader : plan.shaders) shaders.push_back(shader_json(shader));
  json["traffic"] = {{"flops", plan.traffic.flops},
                     {"global_bytes", plan.traffic.global_bytes},
                     {"compulsory_bytes", plan.traffic.compulsory_bytes}};
  return json.dump(2);
}

std::string to_json(const DeviceProfile& profile) {
  auto configs = Json::array();
  for (const auto& config : profile.matrix_configs) {
    configs.push_back({{"component", to_string(config.component)},
                       {"result", to_string(config.result)},
                       {"m", config.m},
                       {"n", config.n},
                       {"k", config.k}});
  }
  const Json json{{"name", profile.name},
                  {"vendor", profile.vendor},
                  {"architecture", profile.architecture},
                  {"driver", profile.driver},
                  {"backend", profile.backend},
                  {"library", profile.library},
                  {"vendor_id", profile.vendor_id},
                  {"device_id", profile.device_id},
                  {"type", to_string(profile.type)},
                  {"dialect", to_string(profile.dialect)},
                  {"limits", limits_json(profile.limits)},
                  {"shader_f16", profile.shader_f16},
                  {"subgroups", profile.subgroups},
                  {"timestamps", profile.timestamps},
                  {"subgroup_min_size", profile.subgroup_min_size},
                  {"subgroup_max_size", profile.subgroup_max_size},
                  {"subgroup_size", profile.subgroup_size},
                  {"matrix_dialect", to_string(profile.matrix_dialect)},
                  {"matrix_configs", configs}};
  return json.dump(2);
}

namespace {

/// Reads a member into `target` where it is there; false where it is there and of another type.
template <typename T>
bool read(const Json& json, const char* key, T& target) {
  const auto found = json.find(key);
  if (found == json.end()) return true;
  if constexpr (std::is_same_v<T, bool>) {
    if (!found->is_boolean()) return false;
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!found->is_string()) return false;
  } else {
    if (!found->is_number_unsigned()) return false;
    if (found->get<std::uint64_t>() > std::numeric_limits<T>::max()) return false;
  }
  target = found->get<T>();
  return true;
}

/// Reads a member that is one of an enumeration's names.
template <typename T, std::size_t Size>
bool read_enum(const Json& json, const char* key, const T (&values)[Size], T& target) {
  std::string text;
  if (!read(json, key, text)) return false;
  if (text.empty()) return true;
  for (const auto value : values) {
    if (to_string(value) == text) {
      target = value;
      return true;
    }
  }
  return false;
}

constexpr DataType kTypes[] = {DataType::f32, DataType::f16};
constexpr AdapterType kAdapterTypes[] = {AdapterType::discrete, AdapterType::integrated,
                                         AdapterType::software, AdapterType::unknown};
constexpr Dialect kDialects[] = {Dialect::dawn, Dialect::naga};
constexpr MatrixDialect kMatrixDialects[] = {MatrixDialect::none, MatrixDialect::majorness_template,
                                             MatrixDialect::majorness_argument, MatrixDialect::emulated};

tl::unexpected<Error> bad(const char* key) {
  return fail(ErrorCode::invalid_argument, key,
              std::string("profile: '") + key + "' has a value that it cannot have");
}

Result<void> read_limits(const Json& json, Limits& limits) {
  const std::pair<const char*, std::uint32_t*> small[] = {
      {"max_compute_workgroup_storage_size", &limits.max_compute_workgroup_storage_size},
      {"max_compute_invocations_per_workgroup", &limits.max_compute_invocations_per_workgroup},
      {"max_compute_workgroup_size_x", &limits.max_compute_workgroup_size_x},
      {"max_compute_workgroup_size_y", &limits.max_compute_workgroup_size_y},
      {"max_compute_workgroup_size_z", &limits.max_compute_workgroup_size_z},
      {"max_compute_workgroups_per_dimension", &limits.max_compute_workgroups_per_dimension},
      {"max_storage_buffers_per_shader_stage", &limits.max_storage_buffers_per_shader_stage},
      {"min_storage_buffer_offset_alignment", &limits.min_storage_buffer_offset_alignment},
      {"min_uniform_buffer_offset_alignment", &limits.min_uniform_buffer_offset_alignment}};
  for (const auto& [key, target] : small) {
    if (!read(json, key, *target)) return bad(key);
  }
  if (!read(json, "max_storage_buffer_binding_size", limits.max_storage_buffer_binding_size)) {
    return bad("max_storage_buffer_binding_size");
  }
  if (!read(json, "max_buffer_size", limits.max_buffer_size)) return bad("max_buffer_size");
  return {};
}

Result<void> read_configs(const Json& json, std::vector<MatrixConfig>& configs) {
  if (!json.is_array()) return bad("matrix_configs");
  for (const auto& entry : json) {
    MatrixConfig config;
    const bool good = entry.is_object() && read_enum(entry, "component", kTypes, config.component) &&
                      read_enum(entry, "result", kTypes, config.result) && read(entry, "m", config.m) &&
                      read(entry, "n", config.n) && read(entry, "k", config.k);
    if (!good) return bad("matrix_configs");
    configs.push_back(config);
  }
  return {};
}

}  // namespace

Result<DeviceProfile> profile_from_json(std::string_view text) {
  const auto json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    return fail(ErrorCode::invalid_argument, "profile", "the profile is not a JSON object");
  DeviceProfile profile;
  const std::pair<const char*, std::string*> words[] = {
      {"name", &profile.name},     {"vendor", &profile.vendor},   {"architecture", &profile.architecture},
      {"driver", &profile.driver}, {"backend", &profile.backend}, {"library", &profile.library}};
  for (const auto& [key, target] : words) {
    if (!read(json, key, *target)) return bad(key);
  }
  const std::pair<const char*, std::uint32_t*> numbers[] = {{"vendor_id", &profile.vendor_id},
                                                            {"device_id", &profile.device_id},
                                                            {"subgroup_min_size", &profile.subgroup_min_size},
                                                            {"subgroup_max_size", &profile.subgroup_max_size},
                                                            {"subgroup_size", &profile.subgroup_size}};
  for (const auto& [key, target] : numbers) {
    if (!read(json, key, *target)) return bad(key);
  }
  const std::pair<const char*, bool*> flags[] = {{"shader_f16", &profile.shader_f16},
                                                 {"subgroups", &profile.subgroups},
                                                 {"timestamps", &profile.timestamps}};
  for (const auto& [key, target] : flags) {
    if (!read(json, key, *target)) return bad(key);
  }
  if (!read_enum(json, "type", kAdapterTypes, profile.type)) return bad("type");
  if (!read_enum(json, "dialect", kDialects, profile.dialect)) return bad("dialect");
  if (!read_enum(json, "matrix_dialect", kMatrixDialects, profile.matrix_dialect))
    return bad("matrix_dialect");
  if (const auto limits = json.find("limits"); limits != json.end()) {
    if (!limits->is_object()) return bad("limits");
    if (auto done = read_limits(*limits, profile.limits); !done) return tl::unexpected(done.error());
  }
  if (const auto configs = json.find("matrix_configs"); configs != json.end()) {
    if (auto done = read_configs(*configs, profile.matrix_configs); !done)
      return tl::unexpected(done.error());
  }
  return profile;
}

}  // namespace wgemm
