import { z } from 'zod';
import { createServerClient, type ServerClient } from '../../platform/cli/server-client.js';
import { AppError, codeOf } from '../../platform/errors.js';
import { sessionReply } from '../users/accounts.schema.js';
import { signInByBrowser } from './browser-sign-in.js';
import { changeSessions, readSessions, serverKey } from './session-file.js';
import { toStored } from './session-token.js';

type Session = z.output<typeof sessionReply>;

const waysReply = z.object({
  password_sign_in: z.boolean(),
  providers: z.array(z.object({ name: z.string(), label: z.string() })),
});
const begunReply = z.object({ secret: z.string(), otpauth_uri: z.string() });
const confirmedReply = z.object({ recovery_codes: z.array(z.string()), session: sessionReply });
const endedReply = z.union([z.object({ end_session_url: z.string() }), z.undefined()]);

/** The interaction with a person during a sign-in. */
export interface SignInPerson {
  email(): Promise<string>;
  password(): Promise<string>;
  /** Asks for a code of the authenticator app, or a recovery code. */
  code(): Promise<string>;
  /** Shows the secret of a new second factor. */
  showSecret(secret: string, uri: string): void;
  showRecoveryCodes(codes: string[]): void;
  /** Asks whether the signed-in account is the person's own: somebody else may have opened the address first. */
  isMe(email: string): Promise<boolean>;
  showAddress(address: string): void;
}

export interface RemoteSignIn {
  url: URL;
  organization: string | undefined;
  provider: string | undefined;
  /** Use a password even if there are providers. */
  byPassword: boolean;
  /** Set up a second factor during the sign-in. */
  setUpTwoFactor: boolean;
  port: number;
  signal: AbortSignal;
  note: (text: string) => void;
}

/**
 * Signs a person in to a server, by its identity provider or by password, and stores the session for later commands.
 * Refuses as the server does, with `usage` for an unknown or ambiguous provider, and with `sign_in_refused` when
 * somebody else signed in in the browser.
 */
export async function logInRemotely(input: RemoteSignIn, person: SignInPerson): Promise<Session> {
  // Refuses before the person signs in, where no session can be kept.
  await readSessions();
  const client = createServerClient(input);
  const provider = input.byPassword ? undefined : await chooseProvider(client, input);
  const session =
    provider === undefined
      ? await signInByPassword(client, input, person)
      : await signInByProvider(client, { ...input, provider }, person);
  await changeSessions((sessions) => {
    sessions[serverKey(input.url)] = toStored(session);
    return Promise.resolve();
  });
  return session;
}

/**
 * Ends the session with a server and forgets it. Returns its owner, and the address for signing out of the identity
 * provider if there is one; undefined without a session.
 */
export async function logOutRemotely(
  input: Pick<RemoteSignIn, 'url' | 'signal' | 'note'>,
): Promise<{ email: string; endSessionUrl: string | undefined } | undefined> {
  const key = serverKey(input.url);
  if ((await readSessions())[key] === undefined) return undefined;
  return changeSessions(async (sessions) => {
    const stored = sessions[key];
    if (stored === undefined) return undefined;
    const { email, refreshToken } = stored;
    const request = { method: 'POST', json: { refreshToken } } as const;
    const ended = await createServerClient(input).ask('/api/auth/logout', endedReply, request);
    Reflect.deleteProperty(sessions, key);
    return { email, endSessionUrl: ended?.end_session_url };
  });
}

/** The named provider, or the only one; undefined when there is none and passwords are used. */
async function chooseProvider(
  client: ServerClient,
  { organization, provider }: RemoteSignIn,
): Promise<string | undefined> {
  const query = new URLSearchParams(organization === undefined ? {} : { organization });
  const { providers } = await client.ask(`/api/auth/ways?${query.toString()}`, waysReply);
  const names = providers.map(({ name }) => name).join(', ');
  if (providers.some(({ name }) => name === provider)) return provider;
  if (provider !== undefined) {
    const hint = names === '' ? 'There is none' : `There is: ${names}`;
    throw new AppError('usage', `--provider: there is no identity provider ${provider}. ${hint}.`);
  }
  if (providers.length <= 1) return providers[0]?.name;
  throw new AppError('usage', `Which provider is meant? Give --provider with one of: ${names}.`);
}

async function signInByProvider(
  client: ServerClient,
  input: RemoteSignIn & { provider: string },
  person: SignInPerson,
): Promise<Session> {
  const session = await signInByBrowser({
    ...input,
    tell: (address) => person.showAddress(address),
    exchange(code, codeVerifier) {
      const json = { code, code_verifier: codeVerifier };
      const request = { method: 'POST', json, once: true } as const;
      return client.ask('/api/auth/sso/session', sessionReply, request);
    },
  });
  const { refreshToken, user } = session;
  if (await person.isMe(user.email)) return session;
  await client.ask('/api/auth/logout', endedReply, { method: 'POST', json: { refreshToken } });
  const sentence = `The browser signed in as ${user.email}. That session was ended, and nothing is kept.`;
  throw new AppError('sign_in_refused', sentence);
}

async function signInByPassword(
  client: ServerClient,
  { setUpTwoFactor }: RemoteSignIn,
  person: SignInPerson,
): Promise<Session> {
  const credentials = { email: await person.email(), password: await person.password() };
  const post = <T extends z.ZodType>(path: string, reply: T, json: object) =>
    client.ask(path, reply, { method: 'POST', json });
  const setUp = async () => {
    const begun = await post('/api/auth/two-factor', begunReply, credentials);
    person.showSecret(begun.secret, begun.otpauth_uri);
    const json = { ...credentials, code: await person.code() };
    const confirmed = await post('/api/auth/two-factor/confirm', confirmedReply, json);
    person.showRecoveryCodes(confirmed.recovery_codes);
    return confirmed.session;
  };
  if (setUpTwoFactor) return setUp();
  try {
    return await post('/api/auth/login', sessionReply, credentials);
  } catch (error) {
    if (codeOf(error) === 'second_factor_missing') return setUp();
    if (codeOf(error) !== 'second_factor_required') throw error;
    const json = { ...credentials, code: await person.code() };
    return post('/api/auth/login', sessionReply, json);
  }
}
