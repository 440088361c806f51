#include "native/execute/record.hpp"

namespace wgemm::native {

Result<void> record_plan(PreparedPlanData& prepared, const OperandViews& operands,
                         WGPUComputePassEncoder pass) {
  if (Result<void> alive = prepared.device()->check_alive(); !alive) {
    return alive;
  }
  auto bound = prepared.bind_for_recording(operands);
  if (!bound) {
    return tl::unexpected(bound.error());
  }
  const Plan& plan = prepared.plan();
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    for (std::size_t dispatch = 0; dispatch < plan.steps[step].dispatches.size(); ++dispatch) {
      prepared.encode(pass, **bound, step, dispatch);
    }
  }
  return {};
}

Result<void> submit_once(PreparedPlanData& prepared, const OperandViews& operands, const Wait& wait) {
  if (Result<void> goes_on = wait.check(); !goes_on) {
    return goes_on;
  }
  Device& device = *prepared.device();
  if (Result<void> alive = device.check_alive(); !alive) {
    return alive;
  }
  const Functions& gpu = device.gpu();
  const Handle<WGPUCommandEncoder> encoder(gpu.DeviceCreateCommandEncoder(device.get(), nullptr),
                                           gpu.CommandEncoderRelease);
  const Handle<WGPUComputePassEncoder> pass(gpu.CommandEncoderBeginComputePass(encoder.get(), nullptr),
                                            gpu.ComputePassEncoderRelease);
  Result<void> recorded = record_plan(prepared, operands, pass.get());
  gpu.ComputePassEncoderEnd(pass.get());
  if (!recorded) {
    return recorded;
  }
  const Handle<WGPUCommandBuffer> commands(gpu.CommandEncoderFinish(encoder.get(), nullptr),
                                           gpu.CommandBufferRelease);
  return device.submit(commands.get());
}

}  // namespace wgemm::native
