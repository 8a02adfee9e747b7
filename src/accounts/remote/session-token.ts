import { createServerClient, type ServerSettings } from '../../platform/cli/server-client.js';
import { AppError, codeOf } from '../../platform/errors.js';
import { sessionReply } from '../users/accounts.schema.js';
import {
  changeSessions,
  readSessions,
  serverKey,
  type StoredSession,
  type StoredSessions,
} from './session-file.js';

/** A token is not used in its last seconds, because the request must arrive in time. */
const marginMs = 30_000;

/**
 * Returns the token of the session that `assistant login` opened with a server, and refreshes it when it has expired.
 * Errors: `usage` when there is no session; `unauthenticated` when the session has ended.
 */
export function tokenOfSession(settings: ServerSettings): () => Promise<string> {
  const key = serverKey(settings.url);
  return async () => {
    const known = (await readSessions())[key];
    if (known === undefined) throw none(settings.url);
    if (isFresh(known)) return known.token;
    return changeSessions(async (sessions) => {
      // Read again under the lock: another program may have refreshed the session or signed out.
      const present = sessions[key];
      if (present === undefined) throw none(settings.url);
      if (isFresh(present)) return present.token;
      const next = await refresh(settings, sessions, present);
      sessions[key] = next;
      return next.token;
    });
  };
}

export function toStored(session: {
  token: string;
  expiresIn: number;
  refreshToken: string;
  user: { email: string };
}): StoredSession {
  const { token, refreshToken, user } = session;
  return {
    email: user.email,
    token,
    refreshToken,
    expiresAt: Date.now() + session.expiresIn * 1000,
  };
}

async function refresh(
  settings: ServerSettings,
  sessions: StoredSessions,
  { refreshToken }: StoredSession,
): Promise<StoredSession> {
  const client = createServerClient({ ...settings, token: undefined });
  try {
    // A retry after a lost answer would look like a stolen token, and the server would end the session.
    const request = { method: 'POST', json: { refreshToken }, once: true } as const;
    return toStored(await client.ask('/api/auth/refresh', sessionReply, request));
  } catch (error) {
    if (codeOf(error) !== 'unauthenticated') throw error;
    Reflect.deleteProperty(sessions, serverKey(settings.url));
    const sentence = `Your session with ${settings.url.origin} has ended. ${hint(settings.url)}`;
    throw new AppError('unauthenticated', sentence, { cause: error });
  }
}

function isFresh({ expiresAt }: StoredSession): boolean {
  return expiresAt - marginMs > Date.now();
}

function none(url: URL): AppError {
  const sentence = `You have not signed in to ${url.origin}. ${hint(url)}, or give --token-file.`;
  return new AppError('usage', sentence);
}

function hint(url: URL): string {
  return `Sign in with: assistant login --server ${serverKey(url)}`;
}
