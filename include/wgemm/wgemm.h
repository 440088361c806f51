/* wgemm for C, and for every language that calls C: the problem, plans, and a device to multiply on.
 *
 * Every function that can fail returns a status, and says more through `error` where that is not NULL: then
 * *error is an object of the caller's, to be freed with wgemm_error_free, or NULL on success. No exception
 * leaves these functions, and nothing is printed. Objects are freed with the function of their name; NULL is
 * allowed there. What an object was made from must outlive it: a context its buffers and prepared plans. */
#ifndef WGEMM_WGEMM_H
#define WGEMM_WGEMM_H
/* NOLINTBEGIN: C has no `using`, no scoped enums, no C++ headers, and names without namespaces. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(WGEMM_SHARED)
#ifdef WGEMM_BUILDING
#define WGEMM_EXPORT __declspec(dllexport)
#else
#define WGEMM_EXPORT __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define WGEMM_EXPORT __attribute__((visibility("default")))
#else
#define WGEMM_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of errors, as in wgemm/error.hpp. */
typedef enum wgemm_status {
  WGEMM_OK = 0,
  WGEMM_INVALID_ARGUMENT, /* a value that no device could accept */
  WGEMM_UNSUPPORTED,      /* right in itself, but this device lacks a limit or a feature */
  WGEMM_NOT_FOUND,        /* a library, an adapter, a file or a kernel of that name does not exist */
  WGEMM_COMPILATION,      /* the WebGPU library refused a shader or a pipeline */
  WGEMM_OUT_OF_MEMORY,    /* the device, or the host, could not allocate */
  WGEMM_DEVICE_LOST,      /* the device is gone; make a new context */
  WGEMM_VALIDATION,       /* the WebGPU library refused a call (a fault of wgemm: please report it) */
  WGEMM_TIMEOUT,          /* the device did not answer in the time given */
  WGEMM_CANCELLED,        /* the caller called the work off */
  WGEMM_IO,               /* a file could not be read or written */
  WGEMM_INTERNAL          /* a broken promise inside wgemm (please report it) */
} wgemm_status;

/* The status by name: "invalid_argument", ... */
WGEMM_EXPORT const char* wgemm_status_name(wgemm_status status);

typedef struct wgemm_error wgemm_error;
/* One sentence: what was given, and what would be right. Lives as long as the error. */
WGEMM_EXPORT const char* wgemm_error_message(const wgemm_error* error);
/* The argument, limit, feature or kernel at fault; may be empty. */
WGEMM_EXPORT const char* wgemm_error_argument(const wgemm_error* error);
WGEMM_EXPORT wgemm_status wgemm_error_status(const wgemm_error* error);
WGEMM_EXPORT void wgemm_error_free(wgemm_error* error);

/* "1.2.3" */
WGEMM_EXPORT const char* wgemm_version(void);

/* For programs, first thing in main, before any thread starts: lets the Vulkan loader find the software
 * driver that was fetched or installed with wgemm, where the user names no driver. No other function changes
 * the environment. */
WGEMM_EXPORT void wgemm_prepare_environment(void);

/* The problem: C <- act(alpha op(A) op(B) + beta C + bias) + residual; wgemm/problem.hpp says it all. */

typedef enum wgemm_type {
  WGEMM_F32 = 0,
  WGEMM_F16,
  WGEMM_I32,
  WGEMM_I8,
  WGEMM_U8,
  WGEMM_I4,
  WGEMM_U4
} wgemm_type;

typedef enum wgemm_order { WGEMM_ROW_MAJOR = 0, WGEMM_COL_MAJOR } wgemm_order;
typedef enum wgemm_accumulate { WGEMM_ACCUMULATE_STANDARD = 0, WGEMM_ACCUMULATE_F16 } wgemm_accumulate;
typedef enum wgemm_bias { WGEMM_BIAS_NONE = 0, WGEMM_BIAS_PER_ROW, WGEMM_BIAS_PER_COLUMN } wgemm_bias;
typedef enum wgemm_activation {
  WGEMM_ACT_NONE = 0,
  WGEMM_ACT_RELU,
  WGEMM_ACT_GELU,
  WGEMM_ACT_GELU_TANH,
  WGEMM_ACT_SILU,
  WGEMM_ACT_CLAMP
} wgemm_activation;

typedef struct wgemm_layout {
  wgemm_type type;
  wgemm_order order;
  uint64_t ld;     /* leading dimension in elements; 0: tight */
  uint64_t offset; /* elements in front of the matrix */
} wgemm_layout;

typedef struct wgemm_offsets {
  uint64_t a, b, c, residual;
} wgemm_offsets;

#define WGEMM_MAX_BATCH_RANK 4

typedef struct wgemm_problem {
  size_t struct_size; /* sizeof(wgemm_problem), set by wgemm_problem_init */
  uint64_t m, n, k;
  wgemm_layout a, b, c;
  bool trans_a, trans_b;
  float alpha, beta;
  wgemm_accumulate accumulate;
  /* A batch by strides (in elements, 0 broadcasts) ... */
  uint32_t batch_rank;
  uint64_t batch_extents[WGEMM_MAX_BATCH_RANK];
  uint64_t batch_strides_a[WGEMM_MAX_BATCH_RANK];
  uint64_t batch_strides_b[WGEMM_MAX_BATCH_RANK];
  uint64_t batch_strides_c[WGEMM_MAX_BATCH_RANK];
  uint64_t batch_strides_residual[WGEMM_MAX_BATCH_RANK];
  /* ... or by a table of where each product's matrices start; read during a call only. */
  const wgemm_offsets* batch_table;
  size_t batch_table_size;
  /* A quantised B: elements along k with one scale; 0: it is not quantised. */
  uint32_t quantization_block;
  wgemm_type quantization_scale_type;
  bool quantization_zeros;
  wgemm_bias bias;
  wgemm_type bias_type;
  wgemm_activation activation;
  float clamp_lower, clamp_upper;
  bool add_residual;
  wgemm_layout residual;
} wgemm_problem;

/* A single product of tight row-major f32 matrices, alpha 1, beta 0, and nothing else. */
WGEMM_EXPORT void wgemm_problem_init(wgemm_problem* problem, uint64_t m, uint64_t n, uint64_t k);

/* Devices. */

typedef enum wgemm_severity { WGEMM_INFO = 0, WGEMM_WARNING, WGEMM_ERROR } wgemm_severity;
/* What the WebGPU library says; may be called from any thread. `message` ends with the call. */
typedef void (*wgemm_log)(wgemm_severity severity, const char* message, void* user);

typedef struct wgemm_context_options {
  size_t struct_size;     /* sizeof(wgemm_context_options), set by wgemm_context_options_init */
  const char* webgpu;     /* "dawn", "wgpu", the path of a library, or NULL: the first that has an adapter */
  const char* backend;    /* "vulkan", "metal", "d3d12", "gl", or NULL */
  const char* adapter;    /* part of the adapter's name or its number, or NULL */
  bool unchecked_shaders; /* without bounds checks where a plan proves them needless */
  bool minimum_limits;    /* hold the device to the specification's minimum */
  uint32_t timeout_ms;    /* of a wait for the device */
  uint64_t memory_cap; /* bytes on the device for a product from host to host; 0: the limits of the device */
  const char* pipeline_cache; /* folder of compiled pipelines, "off", or NULL: the user's cache folder */
  wgemm_log log;              /* may be NULL */
  void* log_user;
} wgemm_context_options;

WGEMM_EXPORT void wgemm_context_options_init(wgemm_context_options* options);

typedef struct wgemm_context wgemm_context;
/* `options` may be NULL. */
WGEMM_EXPORT wgemm_status wgemm_context_create(const wgemm_context_options* options, wgemm_context** context,
                                               wgemm_error** error);
WGEMM_EXPORT void wgemm_context_free(wgemm_context* context);
/* The device's profile as JSON; lives as long as the context. */
WGEMM_EXPORT const char* wgemm_context_profile(const wgemm_context* context);

/* Plan options; a zeroed struct is the default. */
typedef struct wgemm_plan_options {
  const char* kernel;        /* by name, or NULL: the planner chooses */
  bool padded;               /* copy operands into whole tiles instead of checking bounds */
  uint32_t split_k;          /* parts of k; 1: none, 0: the planner chooses */
  uint64_t scratch_cap;      /* bytes of scratch memory; 0: no bound */
  double max_dispatch_flops; /* of one dispatch; 0: any number */
  bool dequantise;           /* a quantised B becomes numbers in scratch memory before the product */
} wgemm_plan_options;

/* Host memory for one product, by role; data NULL and bytes 0 where the problem has none. Only elements of C
 * are written. */
typedef struct wgemm_bytes {
  const void* data;
  size_t bytes;
} wgemm_bytes;
typedef struct wgemm_host_operands {
  wgemm_bytes a, b;
  void* c;
  size_t c_bytes;
  wgemm_bytes bias, residual, scales, zeros;
} wgemm_host_operands;

/* Bytes that each operand of the problem has at least; fills what is not NULL. */
WGEMM_EXPORT wgemm_status wgemm_operand_bytes(const wgemm_problem* problem, uint64_t* a, uint64_t* b,
                                              uint64_t* c, uint64_t* bias, uint64_t* residual,
                                              uint64_t* scales, uint64_t* zeros, wgemm_error** error);

/* Host memory in, host memory out, and C may lie in the memory of an input; blocks until C is there.
 * `options` may be NULL. */
WGEMM_EXPORT wgemm_status wgemm_multiply(wgemm_context* context, const wgemm_problem* problem,
                                         const wgemm_host_operands* operands,
                                         const wgemm_plan_options* options, wgemm_error** error);

/* C <- A B, tight, row-major, f32: a has m*k elements, b k*n, c m*n. */
WGEMM_EXPORT wgemm_status wgemm_matmul_f32(wgemm_context* context, uint64_t m, uint64_t n, uint64_t k,
                                           const float* a, const float* b, float* c, wgemm_error** error);

/* Memory on the device. */
typedef struct wgemm_buffer wgemm_buffer;
WGEMM_EXPORT wgemm_status wgemm_buffer_create(wgemm_context* context, uint64_t bytes, wgemm_buffer** buffer,
                                              wgemm_error** error);
WGEMM_EXPORT void wgemm_buffer_free(wgemm_buffer* buffer);
WGEMM_EXPORT uint64_t wgemm_buffer_size(const wgemm_buffer* buffer);
/* `offset` is a multiple of 4. */
WGEMM_EXPORT wgemm_status wgemm_buffer_upload(wgemm_context* context, wgemm_buffer* buffer, uint64_t offset,
                                              const void* data, size_t bytes, wgemm_error** error);
WGEMM_EXPORT wgemm_status wgemm_buffer_download(wgemm_context* context, const wgemm_buffer* buffer,
                                                uint64_t offset, void* data, size_t bytes,
                                                wgemm_error** error);

/* Plans: data, made without a GPU from a problem and a profile (JSON, or the name of a built-in one). */
typedef struct wgemm_plan wgemm_plan;
WGEMM_EXPORT wgemm_status wgemm_plan_create(const wgemm_problem* problem, const char* profile,
                                            const wgemm_plan_options* options, wgemm_plan** plan,
                                            wgemm_error** error);
WGEMM_EXPORT wgemm_status wgemm_plan_from_json(const char* text, wgemm_plan** plan, wgemm_error** error);
/* Versioned JSON, shaders included; lives as long as the plan. */
WGEMM_EXPORT const char* wgemm_plan_json(const wgemm_plan* plan);
/* The full name of the plan's kernel. */
WGEMM_EXPORT const char* wgemm_plan_kernel(const wgemm_plan* plan);
WGEMM_EXPORT void wgemm_plan_free(wgemm_plan* plan);

/* A plan with its pipelines on a device. */
typedef struct wgemm_prepared wgemm_prepared;
WGEMM_EXPORT wgemm_status wgemm_prepare(wgemm_context* context, const wgemm_plan* plan,
                                        wgemm_prepared** prepared, wgemm_error** error);
WGEMM_EXPORT void wgemm_prepared_free(wgemm_prepared* prepared);

/* Buffers for one run, by role; NULL where the problem has none. */
typedef struct wgemm_operands {
  const wgemm_buffer *a, *b, *c, *bias, *residual, *scales, *zeros;
} wgemm_operands;
/* Runs once; returns when the device is done. */
WGEMM_EXPORT wgemm_status wgemm_run(wgemm_context* context, wgemm_prepared* prepared,
                                    const wgemm_operands* operands, wgemm_error** error);

/* Operands prepared once for many products: transposed, padded or converted as the kernel wants them, and a
 * quantised B turned into numbers. */
typedef enum wgemm_matrix { WGEMM_MATRIX_A = 0, WGEMM_MATRIX_B } wgemm_matrix;
typedef struct wgemm_prepared_operand wgemm_prepared_operand;
/* Does to A or B what the problem's plan would do to it in every run. Of `given` it reads that matrix as the
 * problem says it lies, and with a quantised B its scales and zeros; nothing of it is needed afterwards.
 * `options` may be NULL. Waits. Errors: WGEMM_INVALID_ARGUMENT where an operand is missing or too small,
 * WGEMM_UNSUPPORTED (argument "matrix") where a quantised B as numbers is larger than the device binds. */
WGEMM_EXPORT wgemm_status wgemm_prepare_operand(wgemm_context* context, const wgemm_problem* problem,
                                                wgemm_matrix matrix, const wgemm_host_operands* given,
                                                const wgemm_plan_options* options,
                                                wgemm_prepared_operand** operand, wgemm_error** error);
WGEMM_EXPORT void wgemm_prepared_operand_free(wgemm_prepared_operand* operand);
/* What stands in the operand's place in wgemm_operands; lives as long as the operand. */
WGEMM_EXPORT const wgemm_buffer* wgemm_prepared_operand_buffer(const wgemm_prepared_operand* operand);
/* The plan of a problem that takes the operand, and takes no scales or zeros with a quantised B. It may be
 * another problem than the operand's, with another m, say. Errors: WGEMM_INVALID_ARGUMENT where its kernel
 * wants the operand otherwise; name the kernel in `options` then. */
WGEMM_EXPORT wgemm_status wgemm_prepare_with_operand(wgemm_context* context, const wgemm_problem* problem,
                                                     const wgemm_prepared_operand* operand,
                                                     const wgemm_plan_options* options,
                                                     wgemm_prepared** prepared, wgemm_error** error);

#ifdef __cplusplus
}
#endif
/* NOLINTEND */
#endif
