// What the core must know of a device, with the core's field names.
import type { DataType } from './problem.ts';

export interface Limits {
  max_storage_buffer_binding_size: number;
  max_buffer_size: number;
  max_compute_workgroup_storage_size: number;
  max_compute_invocations_per_workgroup: number;
  max_compute_workgroup_size_x: number;
  max_compute_workgroup_size_y: number;
  max_compute_workgroup_size_z: number;
  max_compute_workgroups_per_dimension: number;
  max_storage_buffers_per_shader_stage: number;
  min_storage_buffer_offset_alignment: number;
  min_uniform_buffer_offset_alignment: number;
}

/** One shape that the matrix units multiply. */
export interface MatrixConfig {
  component: DataType;
  result: DataType;
  m: number;
  n: number;
  k: number;
}

export interface DeniedMatrixConfig {
  config: MatrixConfig;
  reason: string;
}

export interface DeviceProfile {
  name: string;
  vendor: string;
  architecture: string;
  driver: string;
  backend: string;
  library: string;
  library_version: string;
  vendor_id: number;
  device_id: number;
  type: 'discrete' | 'integrated' | 'software' | 'unknown';
  dialect: 'dawn' | 'naga';
  limits: Limits;
  shader_f16: boolean;
  subgroups: boolean;
  timestamps: boolean;
  /** The device runs shaders without bounds checks, which no page can ask for; in Node a toggle of Dawn does. */
  unchecked_shaders: boolean;
  subgroup_min_size: number;
  subgroup_max_size: number;
  subgroup_size: number;
  matrix_dialect: 'none' | 'majorness_template' | 'majorness_argument' | 'emulated';
  matrix_configs: MatrixConfig[];
  denied_matrix_configs: DeniedMatrixConfig[];
}

export type ProfileOverride = Partial<Omit<DeviceProfile, 'limits'>> & { limits?: Partial<Limits> };
