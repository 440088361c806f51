/* The C interface: a plan as JSON and back, buffers, a run, and typed errors. */
#include <stdio.h>
#include <string.h>
#include <wgemm/wgemm.h>

#define CHECK(condition)                                       \
  do {                                                         \
    if (!(condition)) {                                        \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      return 1;                                                \
    }                                                          \
  } while (0)

static int check_plans(void) {
  wgemm_problem problem;
  wgemm_problem_init(&problem, 8, 8, 8);
  wgemm_error* error = NULL;
  wgemm_plan* plan = NULL;
  CHECK(wgemm_plan_create(&problem, "minimum", NULL, &plan, &error) == WGEMM_OK && error == NULL);
  wgemm_plan* again = NULL;
  CHECK(wgemm_plan_from_json(wgemm_plan_json(plan), &again, &error) == WGEMM_OK);
  CHECK(strcmp(wgemm_plan_kernel(plan), wgemm_plan_kernel(again)) == 0);
  wgemm_plan_free(again);
  wgemm_plan_free(plan);

  const wgemm_plan_options wrong = {.kernel = "no-such-kernel"};
  CHECK(wgemm_plan_create(&problem, "minimum", &wrong, &plan, &error) == WGEMM_NOT_FOUND);
  CHECK(strcmp(wgemm_error_argument(error), "kernel") == 0 && strlen(wgemm_error_message(error)) > 0);
  wgemm_error_free(error);
  CHECK(wgemm_plan_create(NULL, "minimum", NULL, &plan, NULL) == WGEMM_INVALID_ARGUMENT);
  CHECK(wgemm_plan_create(&problem, "no-such-device", NULL, &plan, NULL) == WGEMM_NOT_FOUND);
  problem.activation = (wgemm_activation)77;
  CHECK(wgemm_plan_create(&problem, "minimum", NULL, &plan, &error) == WGEMM_INVALID_ARGUMENT);
  CHECK(strcmp(wgemm_error_argument(error), "activation") == 0);
  wgemm_error_free(error);
  problem.activation = WGEMM_ACT_NONE;
  problem.batch_rank = 1;
  problem.batch_extents[0] = 2;
  CHECK(wgemm_plan_create(&problem, "minimum", NULL, &plan, &error) == WGEMM_INVALID_ARGUMENT);
  CHECK(strcmp(wgemm_error_argument(error), "batch_strides_c") == 0);
  CHECK(strstr(wgemm_error_message(error), "batch_strides_c[0] = 0") != NULL);
  wgemm_error_free(error);
  problem.batch_rank = 0;
  problem.quantization_block = 7;
  CHECK(wgemm_operand_bytes(&problem, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &error) == WGEMM_INVALID_ARGUMENT);
  CHECK(strcmp(wgemm_error_argument(error), "quantization_block") == 0);
  wgemm_error_free(error);
  problem.quantization_block = 0;
  problem.bias = WGEMM_BIAS_PER_ROW;
  problem.bias_type = WGEMM_I8;
  CHECK(wgemm_plan_create(&problem, "minimum", NULL, &plan, &error) == WGEMM_INVALID_ARGUMENT);
  CHECK(strcmp(wgemm_error_argument(error), "bias_type") == 0 &&
        strncmp(wgemm_error_message(error), "bias_type = ", 12) == 0);
  wgemm_error_free(error);
  wgemm_problem blank;
  memset(&blank, 0, sizeof blank);
  CHECK(wgemm_plan_create(&blank, "minimum", NULL, &plan, NULL) == WGEMM_INVALID_ARGUMENT);
  return 0;
}

/* One B, transposed once, for products of two numbers of rows. */
static int check_prepared_operand(wgemm_context* context) {
  const wgemm_plan_options options = {.kernel = "vec4", .split_k = 1};
  const float a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const float b[8] = {1, 0, 0, 1, 1, 1, 0, 2}; /* 4 x 2 */
  const float right[4] = {4, 13, 12, 29};
  wgemm_error* error = NULL;
  wgemm_problem problem;
  wgemm_problem_init(&problem, 2, 2, 4);
  wgemm_host_operands given = {.b = {b, sizeof b}};
  wgemm_prepared_operand* operand = NULL;
  CHECK(wgemm_prepare_operand(context, &problem, WGEMM_MATRIX_B, &given, &options, &operand, &error) == WGEMM_OK);
  for (uint64_t m = 1; m <= 2; ++m) {
    problem.m = m;
    wgemm_prepared* prepared = NULL;
    CHECK(wgemm_prepare_with_operand(context, &problem, operand, &options, &prepared, &error) == WGEMM_OK);
    wgemm_buffer *left = NULL, *result = NULL;
    CHECK(wgemm_buffer_create(context, m * 16, &left, &error) == WGEMM_OK);
    CHECK(wgemm_buffer_create(context, m * 8, &result, &error) == WGEMM_OK);
    CHECK(wgemm_buffer_upload(context, left, 0, a, m * 16, &error) == WGEMM_OK);
    const wgemm_operands operands = {.a = left, .b = wgemm_prepared_operand_buffer(operand), .c = result};
    CHECK(wgemm_run(context, prepared, &operands, &error) == WGEMM_OK);
    float c[4];
    CHECK(wgemm_buffer_download(context, result, 0, c, m * 8, &error) == WGEMM_OK);
    CHECK(memcmp(c, right, m * 8) == 0);
    wgemm_buffer_free(left);
    wgemm_buffer_free(result);
    wgemm_prepared_free(prepared);
  }
  wgemm_prepared_operand_free(operand);

  operand = NULL;
  given.b.bytes = 4;
  CHECK(wgemm_prepare_operand(context, &problem, WGEMM_MATRIX_B, &given, &options, &operand, &error) ==
        WGEMM_INVALID_ARGUMENT);
  CHECK(strcmp(wgemm_error_argument(error), "b") == 0 && operand == NULL);
  wgemm_error_free(error);
  CHECK(wgemm_prepare_operand(context, &problem, (wgemm_matrix)2, &given, NULL, &operand, &error) ==
        WGEMM_INVALID_ARGUMENT);
  CHECK(strcmp(wgemm_error_argument(error), "matrix") == 0);
  wgemm_error_free(error);
  wgemm_prepared* prepared = NULL;
  CHECK(wgemm_prepare_with_operand(context, &problem, NULL, NULL, &prepared, NULL) == WGEMM_INVALID_ARGUMENT);
  return 0;
}

static int check_device(void) {
  wgemm_error* error = NULL;
  wgemm_context_options options;
  wgemm_context_options_init(&options);
  options.webgpu = "no-such-library";
  wgemm_context* context = NULL;
  CHECK(wgemm_context_create(&options, &context, &error) == WGEMM_NOT_FOUND);
  wgemm_error_free(error);
  CHECK(wgemm_context_create(NULL, &context, &error) == WGEMM_OK);

  const float a[6] = {1, 2, 3, 4, 5, 6};
  const float b[6] = {1, 0, 0, 1, 1, 1};
  float c[4] = {0, 0, 0, 0};
  CHECK(wgemm_matmul_f32(context, 2, 2, 3, a, b, c, &error) == WGEMM_OK);
  CHECK(c[0] == 4 && c[1] == 5 && c[2] == 10 && c[3] == 11);
  CHECK(wgemm_matmul_f32(context, 2, 2, 3, NULL, b, c, &error) == WGEMM_INVALID_ARGUMENT);
  wgemm_error_free(error);

  wgemm_problem problem;
  wgemm_problem_init(&problem, 2, 2, 3);
  problem.trans_b = true; /* B is stored as 2 x 3 */
  wgemm_plan* plan = NULL;
  wgemm_prepared* prepared = NULL;
  CHECK(wgemm_plan_create(&problem, wgemm_context_profile(context), NULL, &plan, &error) == WGEMM_OK);
  CHECK(wgemm_prepare(context, plan, &prepared, &error) == WGEMM_OK);
  wgemm_buffer* buffers[3] = {NULL, NULL, NULL};
  for (int i = 0; i < 3; ++i) CHECK(wgemm_buffer_create(context, 24, &buffers[i], &error) == WGEMM_OK);
  CHECK(wgemm_buffer_upload(context, buffers[0], 0, a, sizeof a, &error) == WGEMM_OK);
  CHECK(wgemm_buffer_upload(context, buffers[1], 0, b, sizeof b, &error) == WGEMM_OK);
  const wgemm_operands operands = {.a = buffers[0], .b = buffers[1], .c = buffers[2]};
  CHECK(wgemm_run(context, prepared, &operands, &error) == WGEMM_OK);
  CHECK(wgemm_buffer_download(context, buffers[2], 0, c, sizeof c, &error) == WGEMM_OK);
  CHECK(c[0] == 1 && c[1] == 6 && c[2] == 4 && c[3] == 15);
  const wgemm_operands aliased = {.a = buffers[0], .b = buffers[1], .c = buffers[0]};
  CHECK(wgemm_run(context, prepared, &aliased, &error) == WGEMM_INVALID_ARGUMENT);
  wgemm_error_free(error);
  for (int i = 0; i < 3; ++i) wgemm_buffer_free(buffers[i]);
  wgemm_prepared_free(prepared);
  wgemm_plan_free(plan);
  CHECK(check_prepared_operand(context) == 0);
  wgemm_context_free(context);
  return 0;
}

int main(void) {
  wgemm_prepare_environment();
  if (check_plans() != 0 || check_device() != 0) return 1;
  puts("outside_c: right");
  return 0;
}
