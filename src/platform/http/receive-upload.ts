import { createHash } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { AppError, type FieldProblem } from '../errors.js';
import { checkTexts, refuse } from './check-texts.js';
import { cutFileOut } from './cut-file-out.js';
import { readBytes } from './read-bytes.js';

export interface Upload {
  /** As the client wrote it. Never use it as a path. */
  fileName: string;
  bytes: Uint8Array;
  /** Of the bytes, in hexadecimal. */
  fileSha256: string;
  fields: Record<string, string>;
}

/** The most bytes of a form besides its file. */
const formOverhead = 16 * 1024;
/** The number of bytes that take about a millisecond to hash. */
const hashedAtOnce = 512 * 1024;

/**
 * Receives the file of a multipart form. Refuses with `invalid_request` a body that is not multipart, lacks the file,
 * or has unreadable fields. Refuses with `tooLarge` as soon as more bytes than `maxBytes` and the overhead have
 * arrived, and stops reading.
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
    const problems = [{ path: field, message: 'missing; expected a file' }];
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
    ...{ method: 'POST', is: () => 'multipart', request },
    req: Object.assign(Readable.from([form]), { headers }),
  };
  await parse(whole as unknown as Context, () => Promise.resolve());
  return request;
}

function unreadable(field: string, cause?: Error): AppError {
  const sentence = `The form could not be read. Send one file in a field named ${field}, as multipart/form-data.`;
  return new AppError('invalid_request', sentence, { cause });
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

/** The text of each field. Refuses with `invalid_request` a field that is given twice or is no text. */
function readFields(given: Record<string, unknown>): Record<string, string> {
  const problems: FieldProblem[] = [];
  const fields = Object.entries(given).map(([name, value]) => {
    if (typeof value !== 'string') {
      problems.push({ path: name, message: 'given more than once; send it once' });
      return [name, ''];
    }
    // The form parser puts this character in place of invalid UTF-8.
    if (value.includes('\ufffd')) problems.push({ path: name, message: 'is not valid UTF-8' });
    return [name, value];
  });
  refuse(problems);
  const read = Object.fromEntries(fields) as Record<string, string>;
  checkTexts(read);
  return read;
}
