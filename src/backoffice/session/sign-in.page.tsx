import type { Context } from 'koa';
import { z } from 'zod';
import { challengeOf } from '../../accounts/providers/single-use.js';
import { exchangeCode } from '../../accounts/sso/finish-sign-in.js';
import { publicPath } from '../../accounts/sso/sign-in-addresses.js';
import { listSignInWays, patienceMs, type SignInWays } from '../../accounts/sso/start-sign-in.js';
import {
  endBrowserSession,
  openBrowserSession,
  type OpenedBrowserSession,
} from '../../accounts/users/browser-sessions.js';
import { signIn } from '../../accounts/users/sessions.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { clientAddress } from '../../platform/http/client-address.js';
import { newSecret } from '../../platform/random-secret.js';
import { parseUrl } from '../../platform/text/parse-url.js';
import { Field, FaultSummary, Form } from '../layout/form.js';
import { queryText } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { action, page, type Fault } from '../page.js';
import { readCookie, setCookie } from './cookie.js';
import { nameBrowser } from './name-browser.js';

/** Where to go after the sign-in: a path below /backoffice, never another site. */
const next = z
  .string()
  .max(2000)
  .regex(/^[/?](?![/\\])/)
  // Browsers resolve dots, however they are written.
  .refine((path) =>
    parseUrl(`/backoffice${path}`, 'http://own.invalid')?.pathname.startsWith('/backoffice'),
  )
  .catch('/');
const organization = z.string().min(1).max(100).optional().catch(undefined);

export const signInPages = [
  page({
    path: '/sign-in',
    access: 'anyone',
    query: z.object({ next: next.default('/'), organization }),
    async show(app, { say, signedIn, query, fault }) {
      if (signedIn !== undefined && fault === undefined) return { to: query.next };
      const ways = await listSignInWays(app, query.organization);
      const ticket = await ticketFor(app, fault);
      const title = ticket === undefined ? say.labels.signIn : say.signIn.codeTitle;
      return { title, body: <SignIn ways={ways} ticket={ticket} title={title} {...query} /> };
    },
    actions: {
      signIn: action({
        form: z.object({
          next,
          email: z.string().max(320).default(''),
          password: z.string().max(1000).default(''),
          code: z.string().max(40).optional(),
          ticket: z.string().max(6000).optional(),
        }),
        async act(app, { ctx, form }) {
          const credentials = await credentialsOf(app, form);
          const browser = nameBrowser(ctx.get('User-Agent'));
          const given = { ...credentials, code: form.code, address: clientAddress(ctx) };
          const opened = await signIn(app, given, (app, user) =>
            openBrowserSession(app, user, { browser }),
          );
          await keepSession(app, ctx, opened);
          return { to: form.next };
        },
      }),
    },
  }),
  page({
    path: '/sign-in/by/:provider',
    access: 'anyone',
    params: z.object({ provider: z.string().min(1).max(60) }),
    query: z.object({ next: next.default('/'), organization }),
    show(app, { ctx, signedIn, params, query }) {
      // A page of another site must neither replace a session nor choose the provider that opens one.
      const isForeign = /^(cross|same)-site$/.test(ctx.get('Sec-Fetch-Site'));
      if (signedIn !== undefined || isForeign) {
        return Promise.resolve({ to: `/sign-in?${queryText(query)}` });
      }
      const verifier = newSecret();
      setCookie(app, ctx, { name: 'assistant_provider', maxAge: patienceMs / 1000 }, verifier);
      const back = new URLSearchParams({ next: query.next });
      const start = new URLSearchParams({
        provider: params.provider,
        ...(query.organization === undefined ? {} : { organization: query.organization }),
        code_challenge: challengeOf(verifier),
        return_to: `${publicPath(app.config)}/backoffice/sign-in/return?${back.toString()}`,
      });
      const to = `${publicPath(app.config)}/api/auth/sso/start?${start.toString()}`;
      return Promise.resolve({ to, isWhole: true });
    },
  }),
  page({
    path: '/sign-in/return',
    access: 'anyone',
    query: z.object({
      next: next.default('/'),
      code: z.string().max(200).optional(),
      error_description: z.string().max(1000).optional(),
    }),
    async show(app, { ctx, query }) {
      const verifier = readCookie(app, ctx, 'assistant_provider');
      setCookie(app, ctx, { name: 'assistant_provider', maxAge: 0 }, '');
      if (query.code === undefined || verifier === undefined) {
        // Anybody can write such an address: its text counts where a sign-in began.
        const told = verifier === undefined ? undefined : query.errorDescription;
        const sentence = told ?? 'This sign-in is over. Begin again.';
        throw new AppError('sign_in_refused', sentence, {
          reason: told === undefined ? { is: 'sign_in_over' } : undefined,
        });
      }
      const given = { code: query.code, codeVerifier: verifier, address: clientAddress(ctx) };
      const browser = nameBrowser(ctx.get('User-Agent'));
      const opened = await exchangeCode(app, given, (app, user, origin) =>
        openBrowserSession(app, user, { ...origin, browser }),
      );
      await keepSession(app, ctx, opened);
      return { to: query.next };
    },
  }),
  page({
    path: '/sign-out',
    access: 'anyone',
    show: (_app, { say }) => Promise.resolve({ title: say.signedOut.title, body: <SignedOut /> }),
    actions: {
      signOut: action({
        async act(app, { ctx, say }) {
          const provider = await endSessionOf(app, ctx);
          if (provider === undefined) return { to: '/sign-out' };
          return { title: say.signedOut.title, body: <SignedOut provider={provider} /> };
        },
      }),
    },
  }),
];

/** The session's cookie. A session that is already in the browser ends, so that nobody goes on in it unseen. */
export async function keepSession(
  app: App,
  ctx: Context,
  { secret, expiresAt }: OpenedBrowserSession,
): Promise<void> {
  await endSessionOf(app, ctx);
  const maxAge = Math.floor((Date.parse(expiresAt) - app.clock.now().getTime()) / 1000);
  setCookie(app, ctx, { name: 'assistant', maxAge }, secret);
}

/** Ends the browser's session and its cookie. Returns where to sign out of the identity provider, if there is one. */
async function endSessionOf(app: App, ctx: Context): Promise<string | undefined> {
  const secret = readCookie(app, ctx, 'assistant');
  if (secret === undefined) return undefined;
  setCookie(app, ctx, { name: 'assistant', maxAge: 0 }, '');
  return endBrowserSession(app, secret);
}

/** The longest time between the password and the code of a second factor. */
const ticketMs = 300_000;
const ticketPurpose = 'backoffice sign-in';

interface Ticket {
  email: string;
  password: string;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * When a right password needs a code too, the form for the code carries the password sealed, so that nobody has to type
 * it again. Undefined when no code is needed.
 */
async function ticketFor(app: App, fault: Fault | undefined): Promise<string | undefined> {
  if (fault?.code !== 'second_factor_required') return undefined;
  const { email = '', password = '', ticket } = fault.values;
  if (ticket !== undefined) return ticket;
  const until = app.clock.now().getTime() + ticketMs;
  return app.secrets.seal(JSON.stringify({ email, password, until }), ticketPurpose);
}

async function credentialsOf(
  app: App,
  form: { email: string; password: string; ticket?: string | undefined },
): Promise<{ email: string; password: string }> {
  if (form.ticket === undefined) return form;
  // Anybody can send a ticket, also where there is no key to open it with.
  const text = await app.secrets.open(form.ticket, ticketPurpose).catch(() => undefined);
  const ticket = text === undefined ? undefined : (JSON.parse(text) as Ticket);
  if (ticket !== undefined && ticket.until > app.clock.now().getTime()) return ticket;
  throw new AppError('unauthenticated', 'This took too long. Type your password again.', {
    reason: { is: 'code_too_late' },
  });
}

interface SignInProps {
  ways: SignInWays;
  /** Set when only the code is missing. */
  ticket: string | undefined;
  title: string;
  next: string;
  organization?: string | undefined;
}

function SignIn({ ways, ticket, title, next, organization }: SignInProps) {
  const { say, at, fault } = useShown();
  const query = new URLSearchParams({ next, ...(organization ? { organization } : {}) });
  const hasForm = ways.passwordSignIn || ways.providers.length === 0;
  return (
    <section class="sign-in">
      <h1>{title}</h1>
      {ways.providers.map(({ name, label }) => (
        <p key={name}>
          <a
            class="button"
            href={at(`/sign-in/by/${encodeURIComponent(name)}?${query.toString()}`)}
          >
            {say.signIn.by(label)}
          </a>
        </p>
      ))}
      {hasForm ? null : <p class="hint">{say.signIn.passwordOff}</p>}
      {!hasForm && fault !== undefined ? <FaultSummary /> : null}
      {hasForm && ways.providers.length > 0 ? <p class="or">{say.signIn.or}</p> : null}
      {!hasForm ? null : (
        <Form action="signIn">
          <input type="hidden" name="next" value={next} />
          {ticket === undefined ? <PasswordFields /> : <CodeFields ticket={ticket} />}
          <button class="main">{say.labels.signIn}</button>
        </Form>
      )}
      {ticket === undefined && hasForm ? <p class="hint">{say.signIn.lost}</p> : null}
    </section>
  );
}

function PasswordFields() {
  const { say } = useShown();
  const common = { of: 'signIn', required: true };
  return (
    <>
      <Field
        {...common}
        name="email"
        label={say.labels.email}
        type="email"
        autoComplete="username"
        autoFocus
      />
      <Field
        {...common}
        name="password"
        label={say.labels.password}
        type="password"
        autoComplete="current-password"
      />
    </>
  );
}

function CodeFields({ ticket }: { ticket: string }) {
  const { say } = useShown();
  return (
    <>
      <input type="hidden" name="ticket" value={ticket} />
      <Field
        of="signIn"
        name="code"
        label={say.signIn.code}
        hint={say.signIn.codeHint}
        required
        autoComplete="one-time-code"
        autoFocus
      />
    </>
  );
}

/** `provider` is the address for signing out of the identity provider. A form's redirect may not lead there. */
function SignedOut({ provider }: { provider?: string }) {
  const { say, at } = useShown();
  return (
    <section class="sign-in">
      <h1>{say.signedOut.title}</h1>
      {provider === undefined ? null : (
        <p>
          <a class="button" href={provider}>
            {say.signedOut.ofProvider}
          </a>
        </p>
      )}
      <p>
        <a class="button" href={at('/sign-in')}>
          {say.signedOut.again}
        </a>
      </p>
    </section>
  );
}
