// What the analytical model knows of a device. All of the constants that measurements fit are in
// device_model.cpp.
#pragma once

#include "wgemm/device_profile.hpp"

namespace wgemm::selection {

struct DeviceModel {
  // Arithmetic, of the whole device.
  double units = 0;            ///< that workgroups are spread over: multiprocessors, compute units, cores
  double unit_lanes = 0;       ///< invocations that a unit advances at a time
  double fma_rate = 0;         ///< f32 operations a second by fused multiply-adds; a multiply-add counts 2
  double matrix_f16_rate = 0;  ///< operations a second by matrix units, f16 operands, sums in f32
  double matrix_f32_rate = 0;  ///< the same with f32 operands
  double byte_rate = 0;        ///< operations a second on integers of 8 bits, four in a word
  // Memory.
  double memory_rate = 0;     ///< bytes a second from and to device memory
  double cache_rate = 0;      ///< bytes a second from the cache that all units share
  double cache_bytes = 0;     ///< size of that cache
  double local_rate = 0;      ///< bytes a second from storage buffers through the units' own caches
  double workgroup_rate = 0;  ///< bytes a second from workgroup memory, of all units together
  double unpadded_share =
      0;  ///< of that rate, what matrix loads from rows without padding reach (bank conflicts)
  double memory_seconds = 0;  ///< from a load to its value
  // What a unit holds at a time.
  double unit_workgroup_bytes = 0;
  double unit_invocations = 0;
  double unit_registers = 0;  ///< of 32 bits
  // Costs that more work does not raise.
  double hiding_invocations =
      0;                     ///< independent operations in flight on a unit at which it reaches half its rate
  double step_seconds = 0;   ///< of a step along k that stages tiles: loads and barriers, nothing beside them
  double group_seconds = 0;  ///< of a workgroup: its start, its first loads, its stores
  double launch_seconds = 0;  ///< of a dispatch
  double reduce_seconds = 0;  ///< of the pass that adds parts of k, besides what it moves
};

/// The closest that is known: of the architecture, else of the vendor, else of the type of adapter.
const DeviceModel& device_model(const DeviceProfile& profile);

}  // namespace wgemm::selection
