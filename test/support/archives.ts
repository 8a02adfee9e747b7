import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack, type Header } from 'tar-stream';

export interface CraftedEntry {
  name: string;
  content: string | Buffer;
  /** Default: a plain file. */
  type?: Header['type'];
}

/** A tar.gz as an attacker might write it. */
export async function craftArchive(
  entries: CraftedEntry[],
  end: Buffer = Buffer.alloc(1024),
): Promise<Buffer> {
  const archive = pack();
  for (const { name, content, type } of entries) {
    if (type === undefined) archive.entry({ name }, content);
    else archive.entry({ name, type, linkname: 'elsewhere' });
  }
  archive.finalize();
  const bytes = await buffer(archive);
  return gzipSync(Buffer.concat([bytes.subarray(0, -1024), end]));
}
