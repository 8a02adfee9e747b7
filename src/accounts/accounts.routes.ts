import { z } from 'zod';
import { clientAddress } from '../platform/http/client-address.js';
import { operation, type Operation } from '../platform/http/operation.js';
import {
  code,
  nameText,
  password,
  presentSession,
  presentUser,
  sessionReply,
  userReply,
} from './users/accounts.schema.js';
import { logIn, logOut, openSession, refreshSession } from './users/sessions.js';
import {
  changePassword,
  getOwnAccount,
  updateOwnAccount,
  type OwnAccount,
} from './users/own-account.js';

const refreshBody = z.strictObject({
  refreshToken: z
    .string()
    .min(1)
    .max(200)
    .describe('The refresh token of the last session. It is valid once.'),
});

const ownAccountReply = userReply
  .extend({ organization: z.object({ id: z.number(), name: z.string(), slug: z.string() }) })
  .meta({ id: 'OwnAccount' });

export const accountOperations: Operation[] = [
  operation({
    method: 'post',
    path: '/api/auth/login',
    tag: 'Account',
    summary: 'Sign in with e-mail and password',
    access: 'anyone',
    body: z.strictObject({ email: z.string().min(1).max(320), password, code: code.optional() }),
    replies: { 200: sessionReply },
    refusals: [
      'unauthenticated',
      'rate_limited',
      'password_sign_in_off',
      'second_factor_required',
      'second_factor_missing',
    ],
    async handle(app, { body, ctx }) {
      const session = await logIn(app, { ...body, address: clientAddress(ctx) });
      return { body: presentSession(session) };
    },
  }),
  operation({
    method: 'post',
    path: '/api/auth/refresh',
    tag: 'Account',
    summary: 'Exchange a refresh token for the next session',
    access: 'anyone',
    body: refreshBody,
    replies: { 200: sessionReply },
    refusals: ['unauthenticated'],
    handle: async (app, { body }) => ({
      body: presentSession(await refreshSession(app, body.refreshToken)),
    }),
  }),
  operation({
    method: 'post',
    path: '/api/auth/logout',
    tag: 'Account',
    summary: 'End a session and its access tokens',
    access: 'anyone',
    body: refreshBody,
    replies: {
      200: z
        .object({
          end_session_url: z
            .string()
            .describe(
              'Opened in the browser, it signs the person out of the identity provider too.',
            ),
        })
        .describe('The session of an identity provider that has a page to sign out.'),
      204: undefined,
    },
    async handle(app, { body }) {
      const url = await logOut(app, body.refreshToken);
      return url === undefined ? undefined : { body: { end_session_url: url } };
    },
  }),
  operation({
    method: 'get',
    path: '/api/me',
    tag: 'Account',
    summary: 'Your own account',
    access: 'ask',
    replies: { 200: ownAccountReply },
    handle: async (app, { actor }) => ({
      body: presentOwnAccount(await getOwnAccount(app, actor)),
    }),
  }),
  operation({
    method: 'put',
    path: '/api/me',
    tag: 'Account',
    summary: 'Change how your account is shown',
    access: 'ask',
    body: z.strictObject({ display_name: nameText.optional() }),
    replies: { 200: ownAccountReply },
    handle: async (app, { actor, body }) => ({
      body: presentOwnAccount(await updateOwnAccount(app, actor, body)),
    }),
  }),
  operation({
    method: 'post',
    path: '/api/me/password',
    tag: 'Account',
    summary: 'Change your password; ends all sessions and tokens, and returns a new session',
    access: 'ask',
    body: z.strictObject({
      current_password: password,
      new_password: password,
      code: code.optional(),
    }),
    replies: { 200: sessionReply },
    refusals: ['unprocessable', 'rate_limited', 'password_sign_in_off', 'second_factor_missing'],
    async handle(app, { actor, body, ctx }) {
      const input = { ...body, address: clientAddress(ctx) };
      return { body: presentSession(await changePassword(app, actor, input, openSession)) };
    },
  }),
];

function presentOwnAccount(account: OwnAccount): z.output<typeof ownAccountReply> {
  const { id, name, slug } = account.organization;
  return { ...presentUser(account), organization: { id, name, slug } };
}
