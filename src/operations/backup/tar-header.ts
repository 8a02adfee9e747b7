/** Archives of tar consist of blocks of this many bytes (POSIX.1-1988, ustar). */
export const blockSize = 512;

export interface TarEntry {
  name: string;
  /** In bytes. */
  size: number;
}

/** Where the fields of a header are, and how long. */
const fields = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const;

/** The largest size of eleven octal digits; beyond it stands a binary number, as GNU tar writes it. */
const largestOctal = 0o77777777777;

/** The header of a plain file that its owner alone may read. */
export function tarHeader({ name, size }: TarEntry, changed: Date): Buffer {
  const header = Buffer.alloc(blockSize);
  const put = (field: keyof typeof fields, text: string) =>
    header.write(text, fields[field][0], fields[field][1], 'latin1');
  put('name', name);
  put('mode', octal(0o600, 7));
  put('uid', octal(0, 7));
  put('gid', octal(0, 7));
  put('mtime', octal(Math.floor(changed.getTime() / 1000), 11));
  put('type', '0');
  put('magic', 'ustar\x0000');
  if (size <= largestOctal) put('size', octal(size, 11));
  else {
    header[fields.size[0]] = 0x80;
    header.writeBigUInt64BE(BigInt(size), fields.size[0] + 4);
  }
  put('checksum', `${octal(checksum(header), 6)}\0 `);
  return header;
}

/**
 * What a header says; undefined for a block of zeros, which ends an archive. Throws where it is no header of a plain
 * file: links, folders and devices have no business in a backup.
 */
export function readTarHeader(block: Buffer): TarEntry | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (Number.parseInt(textAt(block, 'checksum'), 8) !== checksum(block)) {
    throw new Error('it holds something that is no entry of an archive');
  }
  const name = textAt(block, 'name');
  const type = textAt(block, 'type');
  if (type !== '0' && type !== '') {
    throw new Error(
      `${JSON.stringify(name)} in it is a ${kinds[type] ?? 'special entry'}, no file`,
    );
  }
  const [at] = fields.size;
  const size =
    block[at] === 0x80
      ? Number(block.readBigUInt64BE(at + 4))
      : Number.parseInt(textAt(block, 'size'), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new Error(`the size of ${name} is none`);
  return { name, size };
}

const kinds: Record<string, string> = { '1': 'link', '2': 'symbolic link', '5': 'folder' };

/** Bytes that fill the last block of an entry. */
export function paddingOf(size: number): number {
  return (blockSize - (size % blockSize)) % blockSize;
}

/** The sum of all bytes, with the place of the sum itself taken for blanks. */
function checksum(block: Buffer): number {
  const [at, length] = fields.checksum;
  let sum = 0;
  for (const [index, byte] of block.entries()) {
    sum += index >= at && index < at + length ? 0x20 : byte;
  }
  return sum;
}

function textAt(block: Buffer, field: keyof typeof fields): string {
  const [at, length] = fields[field];
  const text = block.toString('latin1', at, at + length);
  const end = text.indexOf('\0');
  return (end === -1 ? text : text.slice(0, end)).trim();
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
