/* The same product from C: alpha A B + bias for each column, and what an error says. */
#include <stdio.h>
#include <stdlib.h>

#include "wgemm/wgemm.h"

static int failed(wgemm_error* error) {
  fprintf(stderr, "%s: %s\n", wgemm_status_name(wgemm_error_status(error)), wgemm_error_message(error));
  wgemm_error_free(error);
  return EXIT_FAILURE;
}

int main(void) {
  enum { M = 5, N = 3, K = 7 };
  float a[M * K];
  float b[K * N];
  float c[M * N];
  const float bias[N] = {1000, 2000, 3000};
  for (int i = 0; i < M * K; ++i) a[i] = 1;
  for (int i = 0; i < K * N; ++i) b[i] = 2;

  wgemm_prepare_environment();
  wgemm_error* error = NULL;
  wgemm_context* context = NULL;
  if (wgemm_context_create(NULL, &context, &error) != WGEMM_OK) return failed(error);

  wgemm_problem problem;
  wgemm_problem_init(&problem, M, N, K);
  problem.alpha = 0.5F;
  problem.bias = WGEMM_BIAS_PER_COLUMN;
  const wgemm_host_operands operands = {
      .a = {a, sizeof a}, .b = {b, sizeof b}, .c = c, .c_bytes = sizeof c, .bias = {bias, sizeof bias}};
  if (wgemm_multiply(context, &problem, &operands, NULL, &error) != WGEMM_OK) return failed(error);
  printf("%g %g %g\n", c[0], c[1], c[M * N - 1]); /* 1007 2007 3007 */

  /* A leading dimension that is too short is refused by name. */
  problem.a.ld = 6;
  if (wgemm_multiply(context, &problem, &operands, NULL, &error) != WGEMM_INVALID_ARGUMENT)
    return EXIT_FAILURE;
  printf("%s: %s\n", wgemm_error_argument(error), wgemm_error_message(error));
  wgemm_error_free(error);
  wgemm_context_free(context);
  return EXIT_SUCCESS;
}
