import { randomUUID } from 'node:crypto';

/** A multipart form, with what is in its files held beside it. */
export interface CutForm {
  /** All of it but what is in its files, between other boundaries. */
  form: Buffer;
  contentType: string;
  /** The bytes of each file, in their order. */
  files: Buffer[];
}

const disposition = /\r\ncontent-disposition:[^\r\n]*/i;
const typeOfFile = /\r\ncontent-type:[ \t]*(?!text\/plain)[^\r\n\t ]/i;

/**
 * Takes the files out of a multipart form, so that no parser has to look at each of their bytes: where they resemble a
 * boundary, it makes hundreds of bytes in memory of two. Of the headers of a part it sees how it is named: an encoding
 * can end the process. Undefined where it is no form, or has more than `most` bytes beside its files.
 */
export function cutFileOut(bytes: Buffer, contentType: string, most: number): CutForm | undefined {
  const given = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s]{1,70}))/i.exec(contentType);
  if (given === null) return undefined;
  const boundary = `--${given[1] ?? given[2] ?? ''}`;
  const between = `--${randomUUID()}`;
  const kept: (Buffer | string)[] = [];
  const files: Buffer[] = [];
  let left = most;
  let end = bytes.indexOf(boundary);
  for (let skip = boundary.length; end >= 0; skip = boundary.length + 2) {
    const start = end + skip;
    if (bytes.toString('latin1', start, start + 2) === '--') {
      const form = Buffer.concat([...kept, `${between}--\r\n`].map((part) => Buffer.from(part)));
      return { form, contentType: `multipart/form-data; boundary=${between.slice(2)}`, files };
    }
    const content = bytes.indexOf('\r\n\r\n', start) + 4;
    end = content < 4 ? -1 : bytes.indexOf(`\r\n${boundary}`, content);
    if (end < 0 || content - start > left) return undefined;
    if (bytes.toString('latin1', start, start + 2) !== '\r\n') return undefined;
    const headers = bytes.toString('latin1', start, content - 4);
    const [named = ''] = disposition.exec(headers) ?? [];
    // With a name of its own, or of a type that no text has: some clients give their files no type, or their fields one.
    const isFile = /;\s*filename\*?=/i.test(named) || typeOfFile.test(headers);
    const text = isFile ? Buffer.of() : bytes.subarray(content, end);
    if (isFile) files.push(bytes.subarray(content, end));
    left -= content - start + text.length;
    if (left < 0) return undefined;
    // The parser knows a file by its type alone.
    const type = isFile ? '\r\nContent-Type: application/octet-stream' : '';
    kept.push(between, Buffer.from(named, 'latin1'), `${type}\r\n\r\n`, text, '\r\n');
  }
  return undefined;
}
