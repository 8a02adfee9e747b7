import { z } from 'zod';
import { roles } from '../../platform/actor.js';
import { presenter } from '../../platform/wire-names.js';
import type { ApiToken } from './api-tokens.repository.js';
import type { Session } from './sessions.js';

const isOneLine = (text: string) => !/[\p{Cc}\p{Cs}]/u.test(text);
const onlyOneLine = 'expected no control characters';

/** A search text. SQLite ends a pattern at a null byte, and the shorter pattern would match too much. */
export const searchText = z.string().max(200).refine(isOneLine, onlyOneLine);

/** A name of a person or record: one non-empty line. */
export const nameText = z.string().trim().min(1).max(200).refine(isOneLine, onlyOneLine);

export const password = z.string().min(1).max(1000);

/** A second factor's code, as people type it. */
export const code = z
  .string()
  .min(1)
  .max(40)
  .describe('A code of the authenticator app, or a recovery code.');

/** A user in wire format, without the password's hash. */
export const userReply = z
  .object({
    id: z.number(),
    email: z.string(),
    display_name: z.string().describe('As it is shown to others.'),
    role: z.enum(roles),
    disabled: z.boolean().describe('True: the user can’t sign in or use any token.'),
    last_seen_at: z.string().nullable().describe('To the hour; null for never.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
    updated_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'User' });

export const presentUser = presenter(userReply);

const sessionUser = z.object({
  id: z.number(),
  email: z.string(),
  display_name: z.string(),
  role: z.enum(roles),
  organization_id: z.number(),
});
const presentSessionUser = presenter(sessionUser);

export const sessionReply = z
  .object({
    token: z.string().describe('To be sent as Authorization: Bearer <token>.'),
    expiresIn: z.number().describe('Seconds until the token ends.'),
    refreshToken: z.string().describe('Exchanges for the next session, once.'),
    user: sessionUser,
  })
  .meta({ id: 'Session' });

export function presentSession(session: Session): z.output<typeof sessionReply> {
  const { token, expiresIn, refreshToken, user } = session;
  return { token, expiresIn, refreshToken, user: presentSessionUser(user) };
}

const tokenUser = z.object({ id: z.number(), email: z.string(), display_name: z.string() });
const presentTokenUser = presenter(tokenUser);

/** The record of a long-lived token. */
export const apiTokenReply = z
  .object({
    id: z.number(),
    name: z.string().describe('What it is for.'),
    user: tokenUser,
    created_at: z.string(),
    expires_at: z.string().nullable().describe('Null for one that lives until it is revoked.'),
    last_used_at: z.string().nullable().describe('To the minute; null for never.'),
    revoked_at: z.string().nullable().describe('Null while it is valid.'),
  })
  .meta({ id: 'ApiToken' });

const presentToken = presenter(apiTokenReply);

export function presentApiToken(token: ApiToken): z.output<typeof apiTokenReply> {
  return presentToken({ ...token, user: presentTokenUser(token.user) });
}

export const signingKeyReply = z
  .object({
    kid: z.string().describe('Names the key in the header of each token that it signed.'),
    created_at: z.string(),
    retired_at: z
      .string()
      .nullable()
      .describe('From then on its tokens are invalid; null for never.'),
  })
  .meta({ id: 'SigningKey' });
