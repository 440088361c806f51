// Which fields a plan has as JSON.
#pragma once

#include <cstdint>

#include "core/json/archive.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::json {

template <typename Archive, As<MatrixLayout> T>
void fields(Archive& archive, T& layout) {
  archive("type", layout.type);
  archive("order", layout.order);
  archive("ld", layout.ld);
  archive("offset", layout.offset);
}

template <typename Archive, As<BatchOffsets> T>
void fields(Archive& archive, T& offsets) {
  archive("a", offsets.a);
  archive("b", offsets.b);
  archive("c", offsets.c);
  archive("residual", offsets.residual);
}

template <typename Archive, As<Batch> T>
void fields(Archive& archive, T& batch) {
  if constexpr (Archive::kReads) {
    archive.count("rank", batch.rank, {"extents", "a", "b", "c", "residual"});
  } else {
    archive("rank", batch.rank);
  }
  archive("extents", batch.extents);
  archive("a", batch.a);
  archive("b", batch.b);
  archive("c", batch.c);
  archive("residual", batch.residual);
  archive("table", batch.table);
}

template <typename Archive, As<Epilogue> T>
void fields(Archive& archive, T& epilogue) {
  archive("bias", epilogue.bias);
  archive("bias_type", epilogue.bias_type);
  archive("activation", epilogue.activation);
  archive("lower", epilogue.lower);
  archive("upper", epilogue.upper);
  archive("add_residual", epilogue.add_residual);
  archive("residual", epilogue.residual);
}

template <typename Archive, As<Quantization> T>
void fields(Archive& archive, T& quantization) {
  archive("block", quantization.block);
  archive("scale_type", quantization.scale_type);
  archive("zeros", quantization.zeros);
}

template <typename Archive, As<Problem> T>
void fields(Archive& archive, T& problem) {
  bool trans_a = problem.trans_a == Transpose::transpose;
  bool trans_b = problem.trans_b == Transpose::transpose;
  archive.required("m", problem.m);
  archive.required("n", problem.n);
  archive.required("k", problem.k);
  archive("trans_a", trans_a);
  archive("trans_b", trans_b);
  archive("alpha", problem.alpha);
  archive("beta", problem.beta);
  archive("accumulate", problem.accumulate);
  archive("a", problem.a);
  archive("b", problem.b);
  archive("c", problem.c);
  archive("quantization", problem.quantization);
  archive("batch", problem.batch);
  archive("epilogue", problem.epilogue);
  if constexpr (Archive::kReads) {
    problem.trans_a = trans_a ? Transpose::transpose : Transpose::none;
    problem.trans_b = trans_b ? Transpose::transpose : Transpose::none;
  }
}

template <typename Archive, As<PlanBuffer> T>
void fields(Archive& archive, T& buffer) {
  archive("role", buffer.role);
  archive("bytes", buffer.bytes);
  archive.optional("words", buffer.words, buffer.role == BufferRole::constant);
  archive.optional("layout", buffer.layout, !buffer.layout.empty());
}

template <typename Archive, As<Shader> T>
void fields(Archive& archive, T& shader) {
  archive("label", shader.label);
  archive("entry_point", shader.entry_point);
  archive("workgroup_size", shader.workgroup_size);
  archive("needs_f16", shader.needs_f16);
  archive("needs_subgroups", shader.needs_subgroups);
  archive("needs_subgroup_matrix", shader.needs_subgroup_matrix);
  archive("proven_in_bounds", shader.proven_in_bounds);
  archive("wgsl", shader.wgsl);
}

template <typename Archive, As<Binding> T>
void fields(Archive& archive, T& binding) {
  archive("index", binding.index);
  archive("buffer", binding.buffer);
  archive("writable", binding.writable);
  archive("offset", binding.offset);
  archive("bytes", binding.bytes);
}

template <typename Archive, As<Dispatch> T>
void fields(Archive& archive, T& dispatch) {
  std::uint64_t batch_word = dispatch.batch_word;
  archive("workgroups", dispatch.workgroups);
  archive("uniforms", dispatch.uniforms);
  archive("batch_word", batch_word);
  if constexpr (Archive::kReads) dispatch.batch_word = static_cast<std::size_t>(batch_word);
}

template <typename Archive, As<Step> T>
void fields(Archive& archive, T& step) {
  archive("kind", step.kind);
  archive("shader", step.shader);
  archive("bindings", step.bindings);
  archive("uniform_binding", step.uniform_binding);
  archive("workgroup_flops", step.workgroup_flops);
  archive("dispatches", step.dispatches);
}

template <typename Archive, As<Traffic> T>
void fields(Archive& archive, T& traffic) {
  archive("flops", traffic.flops);
  archive("global_bytes", traffic.global_bytes);
  archive("compulsory_bytes", traffic.compulsory_bytes);
}

template <typename Archive, As<Plan> T>
void fields(Archive& archive, T& plan) {
  archive("kernel", plan.kernel);
  archive("problem", plan.problem);
  archive("buffers", plan.buffers);
  archive("steps", plan.steps);
  archive("shaders", plan.shaders);
  archive("traffic", plan.traffic);
  archive("split_k", plan.split_k);
}

}  // namespace wgemm::json
