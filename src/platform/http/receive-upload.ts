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
  /** As the client wrote it: never to be used as a path. */
  fileName: string;
  bytes: Uint8Array;
  /** Of the bytes, in hexadecimal. */
  fileSha256: string;
  /** The form's other fields. */
  fields: Record<string, string>;
}

/** What a form may have beside its file, in bytes. */
const formOverhead = 16 * 1024;
/** Bytes of a file that take about a millisecond. */
const hashedAtOnce = 512 * 1024;

/**
 * The file of a multipart form. Refuses with `invalid_request` what is not multipart, lacks the file or has other fields
 * that can't be read, and with `tooLarge` as soon as more than `maxBytes` and those have come, without reading on.
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

/** The fields of a form, and the names of its files, which are empty by now. */
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

/** In slices, with others let in between, and without a copy: hashing on another thread makes one. */
async function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < bytes.length; start += hashedAtOnce) {
    hash.update(bytes.subarray(start, start + hashedAtOnce));
    await setImmediate();
  }
  return hash.digest('hex');
}

/** Each field's text. Refuses with `invalid_request` one that is given twice, or is no text. */
function readFields(given: Record<string, unknown>): Record<string, string> {
  const problems: FieldProblem[] = [];
  const fields = Object.entries(given).map(([name, value]) => {
    if (typeof value !== 'string') {
      problems.push({ path: name, message: 'given more than once; send it once' });
      return [name, ''];
    }
    // What the parser of the form puts where the bytes were no UTF-8.
    if (value.includes('\ufffd')) problems.push({ path: name, message: 'is not valid UTF-8' });
    return [name, value];
  });
  refuse(problems);
  const read = Object.fromEntries(fields) as Record<string, string>;
  checkTexts(read);
  return read;
}
