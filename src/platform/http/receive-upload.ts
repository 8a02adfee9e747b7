import { Writable } from 'node:stream';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { AppError, type FieldProblem } from '../errors.js';
import { checkTexts, refuse } from './check-texts.js';
import { cutOff } from './cut-off.js';

export interface Upload {
  /** As the client wrote it: never to be used as a path. */
  fileName: string;
  bytes: Uint8Array;
  /** Of the bytes, in hexadecimal. */
  fileSha256: string;
  /** The form's other fields. */
  fields: Record<string, string>;
}

/** What a form's boundaries and other fields may add to the file itself, in bytes. */
const formOverhead = 64 * 1024;

/**
 * The file of a multipart form. Refuses with `invalid_request` what is not multipart, lacks the file or has other fields
 * that can't be read, and with `tooLarge` as soon as more than `maxBytes` have come, without reading on.
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
  if (ctx.request.length > maxBytes + formOverhead) {
    cutOff(ctx);
    throw tooLarge();
  }
  const bytes = await parseForm(ctx, field, maxBytes, tooLarge);
  const { files, body } = ctx.request as { files?: FormFiles; body?: Record<string, unknown> };
  const given = files?.[field];
  const file = Array.isArray(given) ? given[0] : given;
  if (file === undefined) {
    const problems = [{ path: field, message: 'missing; expected a file' }];
    const sentence = `The form has no file in a field named ${field}.`;
    throw new AppError('invalid_request', sentence, { problems });
  }
  const fileName = file.originalFilename ?? '';
  checkTexts({ [field]: fileName });
  return { fileName, bytes, fileSha256: file.hash, fields: readFields(body ?? {}) };
}

type FormFiles = Record<string, FormFile | FormFile[] | undefined>;

interface FormFile {
  originalFilename: string | null;
  hash: string;
}

/** Reads the form into `ctx.request`; answers the bytes of its file. */
async function parseForm(
  ctx: Context,
  field: string,
  maxBytes: number,
  tooLarge: () => AppError,
): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  const memory = () =>
    new Writable({
      write(piece: Buffer, _encoding, done) {
        pieces.push(piece);
        done();
      },
    });
  const parse = koaBody({
    multipart: true,
    json: false,
    urlencoded: false,
    text: false,
    formidable: {
      fileWriteStreamHandler: memory,
      hashAlgorithm: 'sha256',
      maxFiles: 1,
      maxFields: 20,
      maxFieldsSize: formOverhead,
      maxFileSize: maxBytes,
      maxTotalFileSize: maxBytes,
      allowEmptyFiles: true,
      minFileSize: 0,
    },
    onError(error) {
      cutOff(ctx);
      throw formError(error, field, tooLarge);
    },
  });
  if (ctx.req.destroyed) {
    // No event will follow that the parser could hear.
    throw new AppError('invalid_request', 'The connection ended in the middle of the body.');
  }
  await parse(ctx, () => Promise.resolve());
  return Buffer.concat(pieces);
}

/** formidable's own codes: 1009 and 1016 are its size limits. */
function formError(error: Error, field: string, tooLarge: () => AppError): AppError {
  const code = (error as { code?: unknown }).code;
  if (code === 1009 || code === 1016) return tooLarge();
  const sentence = `The form could not be read. Send one file in a field named ${field}, as multipart/form-data.`;
  return new AppError('invalid_request', sentence, { cause: error });
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
