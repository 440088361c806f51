// What is known of each device, in IndexedDB. Storage may be switched off: then it lasts as long as the page.
import type { DeviceProfile, Trial, TuningData } from '../../src/index.ts';
import type { Shape } from './shapes.ts';

export interface Search {
  shape: Shape;
  trials: Trial[];
  complete: boolean;
}

export interface Known {
  /** Of the package that made the trials: another one has other kernels */
  wgemm: string;
  /** By the shape's name */
  searches: Record<string, Search>;
  data: TuningData | null;
  /** Whether the page's own products go by `data` */
  used: boolean;
}

const NAME = 'wgemm tuning';
const TABLE = 'devices';

export function keyOf(profile: DeviceProfile): string {
  const { vendor, architecture, name, vendor_id, device_id, type } = profile;
  return [vendor, architecture, name, vendor_id, device_id, type].join('|');
}

export async function load(key: string): Promise<Known | undefined> {
  return inTable('readonly', (table) => table.get(key)) as Promise<Known | undefined>;
}

export async function save(key: string, known: Known): Promise<void> {
  await inTable('readwrite', (table) => table.put(known, key));
}

async function inTable(mode: IDBTransactionMode, act: (table: IDBObjectStore) => IDBRequest): Promise<unknown> {
  let database: IDBDatabase | undefined;
  try {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE);
    database = (await settled(opening)) as IDBDatabase;
    return await settled(act(database.transaction(TABLE, mode).objectStore(TABLE)));
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}

function settled(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the database refused'));
  });
}
