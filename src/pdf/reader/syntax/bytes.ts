import { AppError } from '../../../platform/errors.js';

/** The error for a stream that unpacks to more than `maxBytes`. */
export function tooMuch(maxBytes: number, cause?: unknown): AppError {
  const megabytes = Math.max(1, Math.round(maxBytes / 1_000_000));
  return new AppError(
    'out_of_memory',
    `A part of the PDF unpacks to more than ${megabytes} MB. Print the PDF to a new PDF and upload that, or raise ingestion.thread_memory_mb.`,
    { cause },
  );
}

/** Collects bytes of unknown length: doubles its buffer, and refuses with out_of_memory beyond `maxBytes`. */
export class ByteSink {
  #bytes: Uint8Array;
  #length = 0;

  constructor(
    expected: number,
    readonly maxBytes: number,
  ) {
    this.#bytes = new Uint8Array(Math.max(16, Math.min(expected, maxBytes)));
  }

  get length(): number {
    return this.#length;
  }

  push(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  fill(byte: number, count: number): void {
    this.#reserve(count);
    this.#bytes.fill(byte, this.#length, this.#length + count);
    this.#length += count;
  }

  /** Appends `count` bytes that begin at `from`. The source may overlap the bytes that this call writes (LZ77). */
  repeat(from: number, count: number): void {
    this.#reserve(count);
    const bytes = this.#bytes;
    for (let at = from; at < from + count; at++) bytes[this.#length++] = bytes[at] ?? 0;
  }

  take(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed > this.maxBytes) throw tooMuch(this.maxBytes);
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.min(this.maxBytes, Math.max(needed, this.#bytes.length * 2)));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
