import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { z } from 'zod';
import { publicPath } from '../accounts/sso/sign-in-addresses.js';
import { findBrowserSession, isProved } from '../accounts/users/browser-sessions.js';
import { organizationOf } from '../accounts/users/own-account.js';
import { getPreferences, pageLanguages } from '../accounts/users/preferences.js';
import { may, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError, errorCodes } from '../platform/errors.js';
import { admitRequest } from '../platform/http/admit-request.js';
import { checkTexts } from '../platform/http/check-texts.js';
import { chooseEncoding } from '../platform/http/negotiate.js';
import { refusalOf } from '../platform/http/problems.js';
import { requestIdOf } from '../platform/http/request-facts.js';
import type { RequestLimits } from '../platform/http/request-limits.js';
import { validate } from '../platform/validate.js';
import { camelKeys } from '../platform/wire-names.js';
import type { AssetName, Assets } from './assets.js';
import { comingPlace } from './layout/coming.js';
import { lastPageOf } from './layout/pager.js';
import { FaultPage } from './layout/fault-page.js';
import { Frame } from './layout/frame.js';
import { ShownContext, type Shown } from './layout/shown.js';
import type { Fault, Page, PageRequest, Redirect, Sent, SignedIn, View } from './page.js';
import { longestForm, receiveForm, uploadOf } from './receive-form.js';
import { readCookie } from './session/cookie.js';
import { requireSameOrigin } from './session/require-same-origin.js';
import { formatOf } from './texts/format.js';
import { textsOf } from './texts/texts.js';

const base = '/backoffice';
/** Pages of fewer bytes are sent as they are. */
const packedFrom = 1024;

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types backoffice",
  // Without a referrer, browsers send `Origin: null` with our own forms.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

export interface PageParts {
  app: App;
  limits: RequestLimits;
  assets: Assets;
}

/** Registers a page: GET shows it, and POST runs one of its forms. */
export function servePage(router: Router, parts: PageParts, page: Page): void {
  const { app, limits, assets } = parts;
  const path = page.path === '/' ? base : base + page.path;

  async function admit(ctx: Context): Promise<Received> {
    const isPost = ctx.method === 'POST';
    const upload = uploadOf(ctx, page);
    let signedIn: SignedIn | undefined;
    if (isPost) requireSameOrigin(ctx);
    const actor = await admitRequest(app, limits, ctx, {
      route: path,
      mostBytes: isPost ? (upload?.maxBytes(app) ?? longestForm) : undefined,
      checksCredential: true,
      limit: upload === undefined ? undefined : 'upload',
      async identify() {
        signedIn = await identify(app, ctx);
        return actorOf(signedIn);
      },
      requireAccess: (actor) => requirePage(actor, page.access),
    });
    const identifyAgain = async () => {
      const actor = actorOf(await identify(app, ctx));
      requirePage(actor, page.access);
      return actor;
    };
    const given: unknown = ctx['params'];
    checkTexts(given);
    const query = Object.fromEntries(new URLSearchParams(ctx.querystring));
    checkTexts(query);
    return {
      actor,
      identify: identifyAgain,
      signedIn,
      ctx,
      fault: undefined,
      ...textsFor(ctx, signedIn),
      asset: (name) => assetPath(app, assets, name),
      params: camelKeys(validate(page.params ?? z.object({}), given)),
      query: camelKeys(validate(page.query ?? z.object({}), query)),
    };
  }

  router.get(path, async (ctx) => {
    const request = await admit(ctx).catch(toSignIn(app, ctx));
    if (request === undefined) return;
    const shown = await page.show(app, request);
    await answer(parts, request, lastPageInstead(ctx, shown) ?? shown);
  });

  if (page.actions === undefined && page.upload === undefined) return;
  router.post(path, async (ctx) => {
    const request = await admit(ctx).catch(toSignIn(app, ctx));
    if (request === undefined) return;
    const form = await receiveForm(parts, page, request);
    const { name, values } = form;
    try {
      await answer(parts, request, await form.act());
    } catch (error) {
      const refused = refusalOf(app.db.dialect.troubleOf(error) ?? error);
      // The person can’t correct this error in the form, so it gets a page of its own.
      if (isLost(refused, page)) throw error;
      const fault = faultOf(refused, name, values);
      ctx.status = errorCodes[refused.code].status;
      if (refused.retryAfterSeconds !== undefined)
        ctx.set('Retry-After', String(refused.retryAfterSeconds));
      const shown = form.proof ?? (await page.show(app, { ...request, fault }));
      await answer(parts, { ...request, fault }, shown);
    }
  });
}

/** The last page of a list, where the address names one beyond it: an empty page would say that there is nothing. */
function lastPageInstead(ctx: Context, shown: View | Redirect | Sent): Redirect | undefined {
  if (!('list' in shown)) return undefined;
  const last = lastPageOf(shown.list.total);
  if (shown.list.page <= last) return undefined;
  const query = new URLSearchParams(ctx.querystring);
  query.set('page', String(last));
  return { to: `${ctx.path.slice(base.length)}?${query.toString()}` };
}

/** Answers a refused request of a browser by a page. */
export async function writeFaultPage(
  parts: PageParts,
  ctx: Context,
  refused: AppError,
): Promise<void> {
  ctx.status = errorCodes[refused.code].status;
  // A database that can't be read must not keep the page from saying so.
  const signedIn = await identify(parts.app, ctx).catch(() => undefined);
  const request = { ctx, signedIn, fault: faultOf(refused, '', {}) };
  const titles: Record<string, string> = textsFor(ctx, signedIn).say.fault.codes;
  const title = titles[refused.code] ?? titles['other'] ?? '';
  const body = <FaultPage title={title} error={refused} requestId={requestIdOf(ctx)} />;
  await render(parts, request, { title, body });
}

type Received = PageRequest<unknown, unknown>;

async function identify(app: App, ctx: Context): Promise<SignedIn | undefined> {
  const secret = readCookie(app, ctx, 'assistant');
  const found = secret === undefined ? undefined : await findBrowserSession(app, secret);
  if (found === undefined) return undefined;
  const { user, session } = found;
  const [organization, preferences] = await Promise.all([
    organizationOf(app, user),
    getPreferences(app, user.id),
  ]);
  const { family } = session;
  const proof = { isProved: isProved(app, session) };
  return { user, organization: organization.name, preferences, family, ...proof };
}

function actorOf(signedIn: Pick<SignedIn, 'user'> | undefined): Actor {
  if (signedIn === undefined) return { kind: 'anonymous' };
  const { id: userId, organizationId, role } = signedIn.user;
  return { kind: 'user', organizationId, userId, role };
}

/** Errors: `unauthenticated` without a session. A page that a role may not open does not exist for it. */
function requirePage(actor: Actor, access: Page['access']): void {
  if (access === 'anyone') return;
  if (actor.kind === 'anonymous') throw new AppError('unauthenticated', 'Sign in first.');
  if (access !== 'staff' && !may(actor, access)) {
    throw new AppError('not_found', 'There is no such page.');
  }
}

/** Sends a browser without a session to the sign-in, and back to where it was going. */
function toSignIn(app: App, ctx: Context) {
  return (error: unknown): undefined => {
    if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
    const next = ctx.method === 'GET' ? ctx.url.slice(base.length) : '';
    const query = /^[/?]/.test(next) ? `?${new URLSearchParams({ next }).toString()}` : '';
    ctx.status = 303;
    ctx.redirect(`${publicPath(app.config)}${base}/sign-in${query}`);
  };
}

function isLost({ code }: AppError, { access }: Page): boolean {
  const isSessionOver = code === 'unauthenticated' && access !== 'anyone';
  return errorCodes[code].status >= 500 || code === 'not_found' || isSessionOver;
}

function faultOf(error: AppError, action: string, values: Record<string, string>): Fault {
  const { code, message, reason, problems = [] } = error;
  return { code, message, reason, problems, action, values };
}

/** The path of the page below /backoffice. */
function pathOf(ctx: Context): string {
  return ctx.path.slice(base.length) || '/';
}

async function answer(
  parts: PageParts,
  request: Pick<Received, 'ctx' | 'signedIn' | 'fault'>,
  result: View | Redirect | Sent,
): Promise<void> {
  if ('title' in result) return render(parts, request, result);
  const { ctx } = request;
  if ('headers' in result) {
    ctx.status = result.status ?? 200;
    ctx.set(result.headers);
    ctx.body = result.body;
    return;
  }
  const prefix = publicPath(parts.app.config);
  const { to = pathOf(ctx), isWhole, done } = result;
  const sentence = done === undefined ? '' : `${to.includes('?') ? '&' : '?'}done=${done}`;
  ctx.status = 303;
  ctx.redirect(isWhole === true ? to : `${prefix}${base}${to === '/' ? '' : to}${sentence}`);
}

async function render(
  { app, assets }: PageParts,
  { ctx, signedIn, fault }: Pick<Received, 'ctx' | 'signedIn' | 'fault'>,
  { title, body, section, coming, isSecret = false }: View,
): Promise<void> {
  const prefix = publicPath(app.config);
  const { language, say } = textsFor(ctx, signedIn);
  const path = pathOf(ctx);
  const done = new URLSearchParams(ctx.querystring).get('done') ?? '';
  const shown: Shown = {
    say,
    language,
    signedIn,
    path,
    fault,
    now: app.clock.now(),
    format: formatOf(language, signedIn?.preferences.timeZone ?? null),
    at: (path) => prefix + base + (path === '/' ? '' : path),
  };
  const whole = inContext(
    shown,
    <Frame
      title={title}
      done={Object.hasOwn(say.done, done) ? say.done[done as keyof typeof say.done] : undefined}
      section={section ?? path}
      organization={signedIn?.organization}
      asset={(name) => assetPath(app, assets, name)}
    >
      {body}
    </Frame>,
  );
  ctx.set(pageHeaders);
  ctx.vary('Accept-Encoding');
  ctx.vary('Accept-Language');
  const text = `<!doctype html>${renderToString(whole)}`;
  if (coming === undefined) {
    const bytes = Buffer.from(text);
    ctx.body = isSecret ? bytes : await pack(ctx, bytes);
    return;
  }
  // A proxy that waits for the whole page would hold the parts back.
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = Readable.from(piecesOf(text, coming, shown));
}

function assetPath(app: App, assets: Assets, name: AssetName): string {
  return `${publicPath(app.config)}${base}/assets/${assets.fileOf(name)}`;
}

async function* piecesOf(
  text: string,
  coming: AsyncIterable<ComponentChildren>,
  shown: Shown,
): AsyncGenerator<Buffer, void, undefined> {
  const place = text.indexOf(comingPlace);
  if (place === -1) throw new Error('a page with coming parts has no place for them');
  yield Buffer.from(text.slice(0, place));
  for await (const part of coming) yield Buffer.from(renderToString(inContext(shown, part)));
  yield Buffer.from(text.slice(place + comingPlace.length));
}

function inContext(shown: Shown, children: ComponentChildren): VNode {
  return <ShownContext.Provider value={shown}>{children}</ShownContext.Provider>;
}

async function pack(ctx: Context, bytes: Buffer): Promise<Buffer> {
  const encoding = chooseEncoding(ctx.get('Accept-Encoding'), ['gzip', 'identity']);
  if (bytes.length < packedFrom || encoding !== 'gzip') return bytes;
  ctx.set('Content-Encoding', 'gzip');
  return promisify(gzip)(bytes, { level: constants.Z_BEST_SPEED });
}

function textsFor(ctx: Context, signedIn: SignedIn | undefined) {
  const accepted = ctx.acceptsLanguages(...pageLanguages);
  const language =
    signedIn?.preferences.language ?? pageLanguages.find((one) => one === accepted) ?? 'en';
  return { language, say: textsOf[language] };
}
