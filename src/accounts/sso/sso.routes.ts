import type { Context } from 'koa';
import { z } from 'zod';
import type { App } from '../../platform/app.js';
import type { Config } from '../../platform/config/schema.js';
import { clientAddress } from '../../platform/http/client-address.js';
import { html } from '../../platform/http/html.js';
import { operation, type Operation, type Reply } from '../../platform/http/operation.js';
import { numberText } from '../../platform/http/paging.js';
import { newSecret } from '../../platform/random-secret.js';
import { isLoopback } from '../providers/connect-provider.js';
import { presentSession, sessionReply } from '../users/accounts.schema.js';
import { openSession } from '../users/sessions.js';
import { pageLanguages } from '../users/preferences.js';
import { askPerson, askPolicy } from './ask-person.js';
import { exchangeCode, finishSignIn } from './finish-sign-in.js';
import { callbackPath, publicBase, publicPath } from './sign-in-addresses.js';
import { listSignInWays, patienceMs, startSignIn } from './start-sign-in.js';

const cookie = 'assistant_sign_in';

/**
 * The secret of an earlier sign-in start in this browser, so that sign-ins in two windows do not end each other;
 * undefined without one. The secret grants nothing: it only proves that a sign-in began in this browser.
 */
function shownSecret(ctx: Context): string | undefined {
  const value = ctx.cookies.get(cookie, { signed: false });
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
}

/** A secret for the browser, and the header that makes it keep the secret until the sign-in ends. */
function keepSecret(
  { config }: { config: Pick<Config, 'server'> },
  ctx: Context,
): { secret: string; header: string } {
  const secret = shownSecret(ctx) ?? newSecret();
  const isSafe = publicBase(config)?.startsWith('https:') ?? ctx.secure;
  const path = `${publicPath(config)}/api/auth/sso`;
  const header = `${cookie}=${secret}; Path=${path}; Max-Age=${patienceMs / 1000}; HttpOnly; SameSite=Lax`;
  return { secret, header: isSafe ? `${header}; Secure` : header };
}

/** The PKCE verifier (RFC 7636): at least 32 bytes in base64url. */
export const verifier = z.string().regex(/^[A-Za-z0-9\-._~]{43,128}$/, 'must be a PKCE verifier');
const challenge = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be an S256 challenge');
const organization = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('The slug of the organization (else the first one).');

export const ssoOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/api/auth/ways',
    tag: 'Account',
    summary: 'How the people of an organization sign in',
    access: 'anyone',
    query: z.strictObject({ organization }),
    replies: {
      200: z.object({
        password_sign_in: z.boolean(),
        providers: z.array(
          z.object({
            name: z.string(),
            label: z.string().describe('The label of the sign-in button.'),
          }),
        ),
      }),
    },
    async handle(app, { query }) {
      const { passwordSignIn, providers } = await listSignInWays(app, query.organization);
      return { body: { password_sign_in: passwordSignIn, providers } };
    },
  }),
  operation({
    method: 'get',
    path: '/api/auth/sso/start',
    tag: 'Account',
    summary: 'Begin to sign in by an identity provider: a browser goes there',
    access: 'anyone',
    query: z.strictObject({
      provider: z.string().min(1).max(60).describe('Its name.'),
      organization,
      code_challenge: challenge.describe(
        'The S256 challenge of a verifier that the starter keeps, as in PKCE (RFC 7636).',
      ),
      fresh: z
        .enum(['true', 'false'])
        .optional()
        .describe('Have the provider ask the person again. POST /api/me/erase needs that.'),
      return_to: z
        .string()
        .min(1)
        .max(2000)
        .describe(
          'The address to which the browser returns, with code, or with error and error_description: /backoffice or below it, or http on 127.0.0.1 or [::1], any port.',
        ),
    }),
    replies: { 200: undefined, 302: undefined },
    produces: 'text/html',
    replyHeaders: ['Location', 'Set-Cookie'],
    async handle(app, { query, ctx }) {
      const { secret, header } = keepSecret(app, ctx);
      const { address, asked } = await startSignIn(app, {
        ...query,
        isFresh: query.fresh === 'true',
        browserSecret: secret,
        base: baseOf(app, ctx),
      });
      const headers = { 'Set-Cookie': header };
      if (asked === undefined) return redirectTo(address, headers);
      const accepted = ctx.acceptsLanguages(...pageLanguages);
      const language = pageLanguages.find((one) => one === accepted) ?? 'en';
      const body = askPerson(language, { ...asked, address });
      const page = { ...markup, 'Content-Security-Policy': askPolicy, Vary: 'Accept-Language' };
      return { body, headers: { ...headers, ...page } };
    },
  }),
  operation({
    method: 'get',
    path: callbackPath,
    tag: 'Account',
    summary: 'The address to which identity providers send browsers back',
    access: 'anyone',
    params: z.object({ id: numberText.describe('The number of the provider: each has its own.') }),
    // Providers add parameters of their own.
    query: z.looseObject({
      state: z.string().min(1).max(200).describe('Identifies the sign-in. It is valid once.'),
      code: z
        .string()
        .max(4000)
        .optional()
        .describe('The provider’s code, when it accepted the person.'),
      error: z
        .string()
        .max(200)
        .optional()
        .describe('The provider’s error, when it refused the person.'),
      iss: z.string().max(1000).optional().describe('The issuer (RFC 9207).'),
    }),
    replies: { 302: undefined },
    produces: 'text/html',
    replyHeaders: ['Location'],
    refusals: ['unauthenticated', 'rate_limited'],
    async handle(app, { ctx, params, query }) {
      return redirectTo(
        await finishSignIn(app, {
          providerId: params.id,
          state: query.state,
          query: ctx.querystring,
          browserSecret: shownSecret(ctx),
          address: clientAddress(ctx),
        }),
      );
    },
  }),
  operation({
    method: 'post',
    path: '/api/auth/sso/session',
    tag: 'Account',
    summary: 'Exchange the code of a finished sign-in for a session, once',
    access: 'anyone',
    body: z.strictObject({
      code: z.string().min(1).max(200),
      code_verifier: verifier.describe('The verifier of the sign-in’s challenge.'),
    }),
    replies: { 200: sessionReply },
    refusals: ['unauthenticated', 'rate_limited'],
    async handle(app, { body, ctx }) {
      const session = await exchangeCode(
        app,
        { ...body, address: clientAddress(ctx) },
        openSession,
      );
      return { body: presentSession(session) };
    },
  }),
];

const markup = { 'Content-Type': 'text/html; charset=utf-8' };

/** Includes a page for browsers that do not follow redirects. */
function redirectTo(address: string, headers: Record<string, string> = {}): Reply {
  const page = html`<!doctype html><title>Sign in</title><a href="${address}">Continue</a>`;
  return { status: 302, body: page.markup, headers: { ...headers, ...markup, Location: address } };
}

/**
 * The public address of this service. The request's Host counts only on this machine, because clients can invent it.
 */
function baseOf({ config }: App, ctx: Context): string | undefined {
  const here = isLoopback(ctx.hostname) ? `${ctx.protocol}://${ctx.host}` : undefined;
  return publicBase(config) ?? here;
}
