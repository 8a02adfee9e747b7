import type { Context } from 'koa';
import { z } from 'zod';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { checkTexts } from '../platform/http/check-texts.js';
import { readBytes } from '../platform/http/read-bytes.js';
import { receiveUpload } from '../platform/http/receive-upload.js';
import type { RequestLimits } from '../platform/http/request-limits.js';
import { decode } from '../platform/http/serve-operation.js';
import { validate } from '../platform/validate.js';
import { camelKeys } from '../platform/wire-names.js';
import type { Action, Page, PageRequest, Redirect, Sent, View } from './page.js';
import { openHeldForm, passwordPage, provePassword } from './session/ask-password.js';

/** The most bytes of a form without a file: the longest entry, in percent-encoding. */
export const longestForm = 1024 * 1024;

/** A form that a browser sent, before it is carried out. */
export interface ReceivedForm {
  /** The name of the action. */
  name: string;
  /** The typed values, by the names of the fields. */
  values: Record<string, string>;
  act: () => Promise<View | Redirect | Sent>;
  /** The page that asks for the person's own password, while a wrong one keeps the form from being carried out. */
  proof?: View;
}

/** The page's form with a file, when the request sends one. */
export function uploadOf(ctx: Context, { upload }: Page): Page['upload'] {
  return ctx.method === 'POST' && ctx.is('multipart/form-data') !== false ? upload : undefined;
}

/**
 * Reads a form of a page. A file is read by `act`, so that the page can say why it is refused. Refuses as readForm does,
 * and with `invalid_request` a form that names no action of the page.
 */
export async function receiveForm(
  { app, limits }: { app: App; limits: RequestLimits },
  page: Page,
  request: PageRequest<unknown, unknown>,
): Promise<ReceivedForm> {
  const { ctx } = request;
  const takeBody = <T>(read: () => Promise<T>) => limits.takeBody(ctx, request.actor, read);
  // A form may take long to arrive. The session or the right may have ended meanwhile.
  const { identify } = request;
  const upload = uploadOf(ctx, page);
  if (upload !== undefined) {
    const values: Record<string, string> = {};
    const act = async () => {
      const { field, tooLarge } = upload;
      const most = upload.maxBytes(app);
      const file = await takeBody(() => receiveUpload(ctx, field, most, () => tooLarge(app)));
      Object.assign(values, file.fields);
      const form = camelKeys(validate(upload.form, file.fields));
      const actor = await identify();
      return upload.act(app, { ...request, actor, form, file });
    };
    return { name: upload.name, values, act };
  }
  const sent = await takeBody(() => readForm(ctx, longestForm));
  const values = await openHeldForm(app, request, sent);
  // A button may name another action than its form does: it comes last.
  const name = values['do']?.split('\n').at(-1) ?? '';
  const { actions = {} } = page;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    const sentence = 'The form does not say what to do. Open the page again.';
    throw new AppError('invalid_request', sentence, { reason: { is: 'form_unreadable' } });
  }
  const received: ReceivedForm = {
    name,
    values,
    async act() {
      const form = camelKeys(validate(action.form ?? z.object({}), values));
      const actor = await identify();
      if (asksPassword(action, request)) {
        const page = await passwordPage(app, request, values);
        if (values === sent) return page;
        received.proof = page;
        await provePassword(app, { ...request, actor }, sent);
        delete received.proof;
      }
      const asked = { ...request, actor, form };
      if (action.done === undefined) return action.act(app, asked);
      await action.act(app, asked);
      return { done: action.done };
    },
  };
  return received;
}

function asksPassword(
  { asksPassword }: Action,
  { signedIn }: PageRequest<unknown, unknown>,
): boolean {
  return asksPassword === 'always' || (asksPassword === 'lately' && signedIn?.isProved !== true);
}

/** The most fields of a form: a list of 50 rows with some fields each. */
const mostFields = 1000;

/**
 * Reads the fields of a form, in UTF-8 with browsers' line ends made plain. Of a field that is sent several times, its
 * values are joined by line ends. Errors: `unsupported_media_type` for another kind of body; `body_too_large` for more
 * than `maxBytes`; `invalid_request` for a form that can't be read.
 */
async function readForm(ctx: Context, maxBytes: number): Promise<Record<string, string>> {
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
