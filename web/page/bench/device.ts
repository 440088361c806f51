// The page's device: opened at the start, and again after it was lost.
import { createGemm, type Gemm, requestGemmDevice } from '../../src/index.ts';
import type { DeviceSummary } from './result.ts';

export interface Session {
  device: GPUDevice;
  gemm: Gemm;
  summary: DeviceSummary;
}

/** What stands in the way of a device. missing: no WebGPU in this browser; adapter: it offers none; failed: an error. */
export type Obstacle = { kind: 'missing' | 'adapter' } | { kind: 'failed'; message: string };

export async function openSession(): Promise<Session | Obstacle> {
  if (!navigator.gpu) return { kind: 'missing' };
  try {
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter) return { kind: 'adapter' };
    const { device } = await requestGemmDevice({ adapter });
    const gemm = await createGemm(device, {
      wasm: new URL('./wgemm.wasm', import.meta.url), adapterInfo: adapter.info,
    });
    return { device, gemm, summary: summarise(adapter.info, gemm) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

export function isSession(opened: Session | Obstacle): opened is Session {
  return 'gemm' in opened;
}

const spellings: Record<string, string> = { nvidia: 'NVIDIA', amd: 'AMD', arm: 'Arm', img: 'Imagination' };

function capitalised(word: string): string {
  return spellings[word] ?? word.replace(/(^|[\s-])\p{L}/gu, (start) => start.toUpperCase());
}

/** Browsers tell little: a vendor and an architecture, seldom a name. */
function summarise(info: GPUAdapterInfo, gemm: Gemm): DeviceSummary {
  const name = info.description || info.device
    || [info.vendor, info.architecture].filter(Boolean).map(capitalised).join(' ');
  return {
    name,
    vendor: info.vendor,
    architecture: info.architecture,
    software: gemm.profile.type === 'software',
    timestamps: gemm.profile.timestamps,
  };
}

/** "Chrome 156", from what the browser says of itself. */
export function browserName(): string {
  const brands = (navigator as { userAgentData?: { brands: { brand: string; version: string }[] } }).userAgentData?.brands
    .filter(({ brand }) => !/not.?a.?brand/i.test(brand)) ?? [];
  const brand = brands.find((candidate) => candidate.brand !== 'Chromium') ?? brands[0];
  if (brand) return `${brand.brand.replace('Google ', '')} ${brand.version}`;
  const found = /(Firefox)\/(\d+)|Version\/(\d+)[^ ]* .*?(Safari)|(Chrome)\/(\d+)/.exec(navigator.userAgent);
  return found ? `${found[1] ?? found[4] ?? found[5]} ${found[2] ?? found[3] ?? found[6]}` : '';
}
