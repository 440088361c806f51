// Calls into the worker as promises. Stopping ends the worker, for a loop in it hears nothing.
import type { Calls } from './worker.ts';

type Arguments<Name extends keyof Calls> = Parameters<Calls[Name]>[0];
type Answer<Name extends keyof Calls> = Awaited<ReturnType<Calls[Name]>>;

export class WorkerClient {
  #worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  #next = 0;
  #ended: unknown;
  #open = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();

  constructor(signal: AbortSignal) {
    this.#worker.onmessage = ({ data }) => {
      const call = this.#open.get(data.id);
      this.#open.delete(data.id);
      if (data.error === undefined) call?.resolve(data.result);
      else call?.reject(new Error(data.error));
    };
    this.#worker.onerror = (event) => this.end(new Error(event.message || 'the worker did not start'));
    signal.addEventListener('abort', () => this.end(signal.reason), { once: true });
    if (signal.aborted) this.end(signal.reason);
  }

  call<Name extends keyof Calls>(name: Name, args: Arguments<Name>, transfer: Transferable[] = []):
      Promise<Answer<Name>> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      const id = this.#next++;
      this.#open.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#worker.postMessage({ id, name, args }, transfer);
    });
  }

  end(reason: unknown = new DOMException('ended', 'AbortError')): void {
    this.#ended ??= reason;
    this.#worker.terminate();
    for (const { reject } of this.#open.values()) reject(reason);
    this.#open.clear();
  }
}
