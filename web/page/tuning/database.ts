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

/** Resolves when `known` is on disk. Written in the caller's own task where the database stands open, so that a page
 * which is left at once has written it. */
export async function save(key: string, known: Known): Promise<void> {
  await inTable('readwrite', (table) => table.put(known, key));
}

let opened: IDBDatabase | undefined;

async function inTable(mode: IDBTransactionMode, act: (table: IDBObjectStore) => IDBRequest): Promise<unknown> {
  try {
    const database = opened ?? (await open());
    const transaction = database.transaction(TABLE, mode);
    const request = act(transaction.objectStore(TABLE));
    transaction.commit();
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('the database refused'));
    });
  } catch {
    return undefined;
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE);
    opening.onerror = () => reject(opening.error ?? new Error('the database refused'));
    opening.onsuccess = () => {
      const database = opening.result;
      // Closed by the browser (storage cleared), or in the way of a page with another version: the next call opens it.
      const forget = () => {
        if (opened === database) opened = undefined;
      };
      database.onclose = forget;
      database.onversionchange = () => {
        forget();
        database.close();
      };
      opened = database;
      resolve(database);
    };
  });
}
