import type { Context } from 'koa';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { receiveUpload } from '../platform/http/receive-upload.js';
import type { RequestLimits } from '../platform/http/request-limits.js';
import { validate } from '../platform/validate.js';
import { camelKeys } from '../platform/wire-names.js';
import type { Page, PageRequest, Redirect, View } from './page.js';
import { readForm } from './read-form.js';

/** The most bytes of a form without a file: the longest entry, in percent-encoding. */
export const longestForm = 1024 * 1024;

/** A form that a browser sent, before it is carried out. */
export interface ReceivedForm {
  /** The name of the action. */
  name: string;
  /** What was typed, by the names of the fields. */
  values: Record<string, string>;
  act: () => Promise<View | Redirect>;
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
  const values = await takeBody(() => readForm(ctx, longestForm));
  // A button may name another action than its form does: it comes last.
  const name = values['do']?.split('\n').at(-1) ?? '';
  const { actions = {} } = page;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    const sentence = 'The form does not say what to do. Open the page again.';
    throw new AppError('invalid_request', sentence);
  }
  const act = async () => {
    const form = camelKeys(validate(action.form, values));
    const actor = await identify();
    return action.act(app, { ...request, actor, form });
  };
  return { name, values, act };
}
