#include <span>

#include "c/objects.hpp"
#include "c/problem.hpp"

using wgemm::Result;
using namespace wgemm::c;

namespace {

std::span<const std::byte> span_of(const wgemm_bytes& given) {
  return {static_cast<const std::byte*>(given.data), given.data != nullptr ? given.bytes : 0};
}

wgemm::HostOperands operands_of(const wgemm_host_operands& given) {
  const std::span<std::byte> c(static_cast<std::byte*>(given.c), given.c != nullptr ? given.c_bytes : 0);
  return {span_of(given.a),      span_of(given.b),    c, span_of(given.bias), span_of(given.residual),
          span_of(given.scales), span_of(given.zeros)};
}

const wgemm::Buffer* buffer_of(const wgemm_buffer* buffer) {
  return buffer != nullptr ? &buffer->buffer : nullptr;
}

Result<wgemm::ContextOptions> context_options_of(const wgemm_context_options* given) {
  wgemm::ContextOptions options;
  if (given == nullptr) return options;
  if (given->struct_size != sizeof(wgemm_context_options)) {
    return wgemm::fail(wgemm::ErrorCode::invalid_argument, "options.struct_size",
                       "options.struct_size = " + std::to_string(given->struct_size) +
                           "; wgemm_context_options_init sets it to " +
                           std::to_string(sizeof(wgemm_context_options)));
  }
  if (given->webgpu != nullptr) options.webgpu = given->webgpu;
  if (given->backend != nullptr) options.backend = given->backend;
  if (given->adapter != nullptr) options.adapter = given->adapter;
  if (given->pipeline_cache != nullptr) options.pipeline_cache = given->pipeline_cache;
  options.unchecked_shaders = given->unchecked_shaders;
  options.minimum_limits = given->minimum_limits;
  options.timeout = std::chrono::milliseconds(given->timeout_ms);
  options.memory_cap = given->memory_cap;
  if (given->log != nullptr) {
    options.log = [log = given->log, user = given->log_user](wgemm::Severity severity,
                                                             std::string_view text) {
      log(static_cast<wgemm_severity>(severity), std::string(text).c_str(), user);
    };
  }
  return options;
}

}  // namespace

void wgemm_context_options_init(wgemm_context_options* options) {
  if (options == nullptr) return;
  *options = {};
  options->struct_size = sizeof(wgemm_context_options);
  options->timeout_ms = static_cast<uint32_t>(wgemm::ContextOptions{}.timeout.count());
}

wgemm_status wgemm_context_create(const wgemm_context_options* given, wgemm_context** context,
                                  wgemm_error** error) {
  return guarded(error, [&]() -> Result<void> {
    if (context == nullptr) return null_argument("context");
    const auto options = context_options_of(given);
    if (!options) return tl::unexpected(options.error());
    auto made = wgemm::Context::create(*options);
    if (!made) return tl::unexpected(made.error());
    auto profile = to_json(made->profile());
    *context = new wgemm_context{std::move(*made), std::move(profile)};
    return {};
  });
}

void wgemm_context_free(wgemm_context* context) { delete context; }

const char* wgemm_context_profile(const wgemm_context* context) {
  return context != nullptr ? context->profile.c_str() : "";
}

wgemm_status wgemm_multiply(wgemm_context* context, const wgemm_problem* given,
                            const wgemm_host_operands* operands, const wgemm_plan_options* options,
                            wgemm_error** error) {
  return guarded(error, [&]() -> Result<void> {
    if (context == nullptr) return null_argument("context");
    if (operands == nullptr) return null_argument("operands");
    const auto problem = problem_of(given);
    if (!problem) return tl::unexpected(problem.error());
    return in_terms_of_c(context->context.multiply(*problem, operands_of(*operands), options_of(options)));
  });
}

wgemm_status wgemm_matmul_f32(wgemm_context* context, uint64_t m, uint64_t n, uint64_t k, const float* a,
                              const float* b, float* c, wgemm_error** error) {
  wgemm_problem problem;
  wgemm_problem_init(&problem, m, n, k);
  uint64_t a_bytes = 0;
  uint64_t b_bytes = 0;
  uint64_t c_bytes = 0;
  if (const auto status = wgemm_operand_bytes(&problem, &a_bytes, &b_bytes, &c_bytes, nullptr, nullptr,
                                              nullptr, nullptr, error);
      status != WGEMM_OK) {
    return status;
  }
  wgemm_host_operands operands{};
  operands.a = {a, a_bytes};
  operands.b = {b, b_bytes};
  operands.c = c;
  operands.c_bytes = c_bytes;
  return wgemm_multiply(context, &problem, &operands, nullptr, error);
}

wgemm_status wgemm_buffer_create(wgemm_context* context, uint64_t bytes, wgemm_buffer** buffer,
                                 wgemm_error** error) {
  return guarded(error, [&]() -> Result<void> {
    if (context == nullptr) return null_argument("context");
    if (buffer == nullptr) return null_argument("buffer");
    auto made = context->context.create_buffer(bytes);
    if (!made) return tl::unexpected(made.error());
    *buffer = new wgemm_buffer{std::move(*made)};
    return {};
  });
}

void wgemm_buffer_free(wgemm_buffer* buffer) { delete buffer; }

uint64_t wgemm_buffer_size(const wgemm_buffer* buffer) {
  return buffer != nullptr ? buffer->buffer.size() : 0;
}

wgemm_status wgemm_buffer_upload(wgemm_context* context, wgemm_buffer* buffer, uint64_t offset,
                                 const void* data, size_t bytes, wgemm_error** error) {
  return guarded(error, [&]() -> Result<void> {
    if (context == nullptr) return null_argument("context");
    if (buffer == nullptr) return null_argument("buffer");
    if (data == nullptr && bytes > 0) return null_argument("data");
    return context->context.upload(buffer->buffer, offset, {static_cast<const std::byte*>(data), bytes});
  });
}

wgemm_status wgemm_buffer_download(wgemm_context* context, const wgemm_buffer* buffer, uint64_t offset,
                                   void* data, size_t bytes, wgemm_error** error) {
  return guarded(error, [&]() -> Result<void> {
    if (context == nullptr) return null_argument("context");
    if (buffer == nullptr) return null_argument("buffer");
    if (data == nullptr && bytes > 0) return null_argument("data");
    return context->context.download(buffer->buffer, offset, {static_cast<std::byte*>(data), bytes});
  });
}

wgemm_status wgemm_prepare(wgemm_context* context, const wgemm_plan* plan, wgemm_prepared** prepared,
                           wgemm_error** error) {
  return guarded(error, [&]() -> Result<void> {
    if (context == nullptr) return null_argument("context");
    if (plan == nullptr) return null_argument("plan");
    if (prepared == nullptr) return null_argument("prepared");
    auto made = context->context.prepare(plan->plan);
    if (!made) return tl::unexpected(made.error());
    *prepared = new wgemm_prepared{std::move(*made)};
    return {};
  });
}

void wgemm_prepared_free(wgemm_prepared* prepared) { delete prepared; }

wgemm_status wgemm_run(wgemm_context* context, wgemm_prepared* prepared, const wgemm_operands* operands,
                       wgemm_error** error) {
  return guarded(error, [&]() -> Result<void> {
    if (context == nullptr) return null_argument("context");
    if (prepared == nullptr) return null_argument("prepared");
    if (operands == nullptr) return null_argument("operands");
    return context->context.run(
        prepared->prepared,
        {buffer_of(operands->a), buffer_of(operands->b), buffer_of(operands->c), buffer_of(operands->bias),
         buffer_of(operands->residual), buffer_of(operands->scales), buffer_of(operands->zeros)});
  });
}

wgemm_status wgemm_prepare_operand(wgemm_context* context, const wgemm_problem* given_problem,
                                   wgemm_matrix matrix, const wgemm_host_operands* given,
                                   const wgemm_plan_options* options, wgemm_prepared_operand** operand,
                                   wgemm_error** error) {
  return guarded(error, [&]() -> Result<void> {
    if (context == nullptr) return null_argument("context");
    if (given == nullptr) return null_argument("given");
    if (operand == nullptr) return null_argument("operand");
    const auto problem = problem_of(given_problem);
    if (!problem) return tl::unexpected(problem.error());
    const auto which = matrix_of(matrix);
    if (!which) return tl::unexpected(which.error());
    auto made = context->context.prepare_operand(*problem, *which, operands_of(*given), options_of(options));
    if (!made) return tl::unexpected(in_terms_of_c(std::move(made.error())));
    *operand = new wgemm_prepared_operand{*made, {made->buffer()}};
    return {};
  });
}

void wgemm_prepared_operand_free(wgemm_prepared_operand* operand) { delete operand; }

const wgemm_buffer* wgemm_prepared_operand_buffer(const wgemm_prepared_operand* operand) {
  return operand != nullptr ? &operand->buffer : nullptr;
}

wgemm_status wgemm_prepare_with_operand(wgemm_context* context, const wgemm_problem* given,
                                        const wgemm_prepared_operand* operand,
                                        const wgemm_plan_options* options, wgemm_prepared** prepared,
                                        wgemm_error** error) {
  return guarded(error, [&]() -> Result<void> {
    if (context == nullptr) return null_argument("context");
    if (operand == nullptr) return null_argument("operand");
    if (prepared == nullptr) return null_argument("prepared");
    const auto problem = problem_of(given);
    if (!problem) return tl::unexpected(problem.error());
    auto made = context->context.prepare(*problem, operand->operand, options_of(options));
    if (!made) return tl::unexpected(in_terms_of_c(std::move(made.error())));
    *prepared = new wgemm_prepared{std::move(*made)};
    return {};
  });
}
