import { createHash, randomUUID } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { AppError, type FieldProblem } from '../errors.js';
import { checkTexts, refuse } from './check-texts.js';
import { readBytes } from './read-bytes.js';

export interface Upload {
  /** As the client wrote it. Never use it as a path. */
  fileName: string;
  bytes: Uint8Array;
  /** The hash of the bytes, in hexadecimal. */
  fileSha256: string;
  fields: Record<string, string>;
}

/** The most bytes of a form besides its file. */
const formOverhead = 16 * 1024;
/** The number of bytes that take about a millisecond to hash. */
const hashedAtOnce = 512 * 1024;

/**
 * Receives the file of a multipart form. Errors: `invalid_request` for a body that is not multipart, lacks the file, or
 * has unreadable fields; `tooLarge` as soon as more bytes than `maxBytes` and the overhead have arrived.
 * Reading stops then.
 */
export async function receiveUpload(
  ctx: Context,
  field: string,
  maxBytes: number,
  tooLarge: () => AppError,
): Promise<Upload> {
  if (ctx.is('multipart/form-data') !== 'multipart/form-data') {
    throw new AppError(
      'invalid_request',
      `Send the file as multipart/form-data, in a field named ${field}.`,
    );
  }
  if (ctx.get('Content-Encoding') !== '') {
    throw new AppError('unsupported_media_type', 'Send the form without a Content-Encoding.');
  }
  const sent = await readBytes(ctx, maxBytes + formOverhead, tooLarge);
  const cut = cutFileOut(sent, ctx.get('Content-Type'), formOverhead);
  if (cut === undefined) throw unreadable(field);
  const [bytes] = cut.files;
  const { files, body } = await parseForm(cut.form, cut.contentType, field);
  const given = files?.[field];
  const file = Array.isArray(given) ? given[0] : given;
  if (file === undefined || bytes === undefined) {
    const problems = [
      { path: field, message: 'missing; expected a file', reason: { is: 'missing' } },
    ];
    const sentence = `The form has no file in a field named ${field}.`;
    throw new AppError('invalid_request', sentence, { problems });
  }
  const fileName = file.originalFilename ?? '';
  checkTexts({ [field]: fileName });
  return { fileName, bytes, fileSha256: await sha256Of(bytes), fields: readFields(body ?? {}) };
}

interface ParsedForm {
  files?: Record<string, FormFile | FormFile[] | undefined>;
  body?: Record<string, unknown>;
}

interface FormFile {
  originalFilename: string | null;
}

/** Parses the fields of a form, and the names of its files, whose content was already cut out. */
async function parseForm(form: Buffer, contentType: string, field: string): Promise<ParsedForm> {
  const parse = koaBody({
    multipart: true,
    json: false,
    urlencoded: false,
    text: false,
    formidable: {
      fileWriteStreamHandler: () => new Writable({ write: (_piece, _encoding, done) => done() }),
      maxFiles: 1,
      maxFields: 20,
      allowEmptyFiles: true,
      minFileSize: 0,
    },
    onError(error) {
      throw unreadable(field, error);
    },
  });
  const headers = { 'content-type': contentType, 'content-length': String(form.length) };
  const request: ParsedForm = {};
  const whole = {
    method: 'POST',
    is: () => 'multipart',
    request,
    req: Object.assign(Readable.from([form]), { headers }),
  };
  await parse(whole as unknown as Context, () => Promise.resolve());
  return request;
}

function unreadable(field: string, cause?: Error): AppError {
  const sentence = `The form could not be read. Send one file in a field named ${field}, as multipart/form-data.`;
  return new AppError('invalid_request', sentence, { cause, reason: { is: 'form_unreadable' } });
}

/** Hashes in slices, so that other requests get a turn. Hashing on another thread would copy the bytes. */
async function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < bytes.length; start += hashedAtOnce) {
    hash.update(bytes.subarray(start, start + hashedAtOnce));
    await setImmediate();
  }
  return hash.digest('hex');
}

/** The text of each field. Errors: `invalid_request` for a field that is given twice or is no text. */
function readFields(given: Record<string, unknown>): Record<string, string> {
  const problems: FieldProblem[] = [];
  const fields = Object.entries(given).map(([name, value]) => {
    if (typeof value !== 'string') {
      problems.push({
        path: name,
        message: 'given more than once; send it once',
        reason: { is: 'twice' },
      });
      return [name, ''];
    }
    // The form parser puts this character in place of invalid UTF-8.
    if (value.includes('\ufffd'))
      problems.push({ path: name, message: 'is not valid UTF-8', reason: { is: 'broken_text' } });
    return [name, value];
  });
  refuse(problems);
  const read = Object.fromEntries(fields) as Record<string, string>;
  checkTexts(read);
  return read;
}

/** A multipart form without its files' content, and that content. */
interface CutForm {
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
