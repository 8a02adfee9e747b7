import type { Context } from 'koa';
import { AppError } from '../platform/errors.js';
import { checkTexts } from '../platform/http/check-texts.js';
import { readBytes } from '../platform/http/read-bytes.js';
import { decode } from '../platform/http/serve-operation.js';

/** The most fields of a form: a list of 50 rows with some fields each. */
const mostFields = 1000;

/**
 * Reads the fields of a form, in UTF-8 with browsers' line ends made plain. Of a field that is sent several times, its
 * values are joined by line ends. Refuses with `unsupported_media_type` another kind of body, `body_too_large` more than
 * `maxBytes`, and `invalid_request` a form that can't be read.
 */
export async function readForm(ctx: Context, maxBytes: number): Promise<Record<string, string>> {
  if (ctx.is('application/x-www-form-urlencoded') !== 'application/x-www-form-urlencoded') {
    throw new AppError('unsupported_media_type', 'Send the form as a browser sends it.');
  }
  const bytes = await readBytes(ctx, maxBytes, () => {
    const kilobytes = Math.round(maxBytes / 1024);
    return new AppError('body_too_large', `The form is larger than ${kilobytes} KB.`);
  });
  const parts = bytes.toString('latin1').split('&', mostFields + 1);
  if (parts.length > mostFields) throw unreadable();
  const fields = new Map<string, string>();
  for (const part of parts) {
    const [, name, value] = (/^([^=]+)=(.*)$/s.exec(part) ?? []).map(decode);
    if (name === undefined || value === undefined) throw unreadable();
    const text = value.replaceAll('\r\n', '\n');
    const before = fields.get(name);
    fields.set(name, before === undefined ? text : `${before}\n${text}`);
  }
  const form = Object.fromEntries(fields);
  checkTexts(form);
  return form;
}

function unreadable(): AppError {
  return new AppError('invalid_request', 'The form can’t be read. Open the page again.', {
    reason: { is: 'form_unreadable' },
  });
}
