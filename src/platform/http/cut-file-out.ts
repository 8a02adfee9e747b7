import { randomUUID } from 'node:crypto';

/** A multipart form without its files' content, and that content. */
export interface CutForm {
  /** The form with empty files, and with new boundaries. */
  form: Buffer;
  contentType: string;
  files: Buffer[];
}

const disposition = /\r\ncontent-disposition:[^\r\n]*/i;
const typeOfFile = /\r\ncontent-type:[ \t]*(?!text\/plain)[^\r\n\t ]/i;

/**
 * Removes the files from a multipart form, so that no parser reads their bytes: bytes that resemble a boundary cost a
 * parser hundreds of bytes of memory per two bytes. Only the name of a part is kept from its headers, because an
 * encoding header can crash the process. Undefined when the body is no form, or has more than `most` bytes besides its
 * files.
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
    // A file has a file name, or a type that no text has. Some clients send files without a type, or fields with one.
    const isFile = /;\s*filename\*?=/i.test(named) || typeOfFile.test(headers);
    const text = isFile ? Buffer.of() : bytes.subarray(content, end);
    if (isFile) files.push(bytes.subarray(content, end));
    left -= content - start + text.length;
    if (left < 0) return undefined;
    // The parser recognizes a file only by its type.
    const type = isFile ? '\r\nContent-Type: application/octet-stream' : '';
    kept.push(between, Buffer.from(named, 'latin1'), `${type}\r\n\r\n`, text, '\r\n');
  }
  return undefined;
}
