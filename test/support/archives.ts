import { gzipSync } from 'node:zlib';
import { tarHeader } from '../../src/operations/backup/tar-header.js';

export interface CraftedEntry {
  name: string;
  content: string | Buffer;
  /** The type of a tar entry: a plain file when undefined, `1` a link, `2` a symbolic link, `5` a folder. */
  type?: string;
  /** What its header claims, where that is not so. */
  size?: number;
}

/** A tar.gz as somebody might write it who means harm. */
export function craftArchive(entries: CraftedEntry[], end: Buffer = Buffer.alloc(1024)): Buffer {
  const blocks = entries.flatMap(({ name, content, type, size }) => {
    const bytes = Buffer.from(content);
    const header = tarHeader({ name, size: size ?? bytes.length }, new Date(0));
    if (type !== undefined) {
      // The checksum is the sum of the bytes: it changes by as much.
      const sum = Number.parseInt(header.toString('latin1', 148, 154), 8);
      const changed = sum + type.charCodeAt(0) - '0'.charCodeAt(0);
      header.write(type, 156, 'latin1');
      header.write(changed.toString(8).padStart(6, '0'), 148, 'latin1');
    }
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, end]));
}
