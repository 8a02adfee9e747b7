import { AppError } from '../platform/errors.js';

interface Entry {
  name: string;
  method: number;
  isEncrypted: boolean;
  start: number;
  packed: number;
}

/** More parts than any office file has. */
const mostEntries = 20_000;
const endRecord = 22;
const longestComment = 65_535;

/** A part of an archive as it is stored. */
export interface PackedPart {
  bytes: Uint8Array;
  isDeflated: boolean;
}

/** The parts of a ZIP archive, as office files are. Nothing is unpacked: unzip.ts does that, in threads alone. */
export class Zip {
  readonly #entries = new Map<string, Entry>();

  /** Errors: `damaged` when the bytes have no complete directory. */
  constructor(readonly bytes: Uint8Array) {
    for (const entry of readDirectory(bytes)) {
      if (!this.#entries.has(entry.name)) this.#entries.set(entry.name, entry);
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** A part as it is stored; undefined without such a part. Errors: `damaged`; `encrypted`. */
  find(name: string): PackedPart | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.isEncrypted) {
      throw new AppError(
        'encrypted',
        'The file is protected with a password. Save it without one, and upload it again.',
      );
    }
    const view = viewOf(this.bytes);
    // The local header has a name and extra fields of its own lengths.
    const header = entry.start;
    if (header + 30 > this.bytes.length || view.getUint32(header, true) !== 0x04034b50) {
      throw damagedZip();
    }
    const from =
      header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
    const packed = this.bytes.subarray(from, from + entry.packed);
    if (packed.length < entry.packed) throw damagedZip();
    if (entry.method !== 0 && entry.method !== 8) throw damagedZip();
    return { bytes: packed, isDeflated: entry.method === 8 };
  }
}

function readDirectory(bytes: Uint8Array): Entry[] {
  const view = viewOf(bytes);
  const least = Math.max(0, bytes.length - endRecord - longestComment);
  let end = bytes.length - endRecord;
  while (end >= least && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < least) throw damagedZip();
  const count = view.getUint16(end + 10, true);
  const entries: Entry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = Math.min(count, mostEntries); left > 0; left--) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw damagedZip();
    const nameLength = view.getUint16(at + 28, true);
    entries.push({
      name: Buffer.from(bytes.subarray(at + 46, at + 46 + nameLength)).toString('utf8'),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      start: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The error of an archive that can't be read. */
export function damagedZip(cause?: unknown): AppError {
  return new AppError(
    'damaged',
    'The file is damaged or was cut off while it was copied. Save or download it again and upload the whole file.',
    { cause },
  );
}
