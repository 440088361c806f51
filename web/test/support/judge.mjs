// Talks with tests/web/judge.cpp, which draws problems, hands out operands and judges what comes back.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export class Judge {
  #process;
  #chunks = [];
  #bytes = 0;
  #wake = () => undefined;
  #ended = false;

  constructor(program, args) {
    this.#process = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#process.stdout.on('data', (chunk) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      this.#wake();
    });
    this.#process.stdout.on('end', () => {
      this.#ended = true;
      this.#wake();
    });
    this.closed = once(this.#process, 'close').then(([status]) => status);
  }

  write(data) {
    this.#process.stdin.write(data);
  }

  writeLine(value) {
    this.write(`${JSON.stringify(value)}\n`);
  }

  /** The next line; undefined where the judge has ended. */
  async readLine() {
    for (let seen = 0; ;) {
      this.#join();
      const at = this.#chunks[0]?.indexOf(10, seen) ?? -1;
      if (at >= 0) return JSON.parse(this.#take(at + 1).toString());
      if (this.#ended) return undefined;
      seen = this.#bytes;
      await this.#more();
    }
  }

  async read(bytes) {
    while (this.#bytes < bytes) {
      if (this.#ended) throw new Error('the judge ended in the middle of a problem');
      await this.#more();
    }
    this.#join();
    return this.#take(bytes);
  }

  #more() {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #join() {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
  }

  #take(bytes) {
    if (bytes === 0) return Buffer.alloc(0);
    const [all] = this.#chunks;
    this.#chunks = [all.subarray(bytes)];
    this.#bytes -= bytes;
    // A copy, aligned for any typed array.
    return Buffer.from(Uint8Array.prototype.slice.call(all, 0, bytes).buffer);
  }
}
