import { z } from 'zod';
import { roles } from '../platform/actor.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { logIn } from './log-in.js';
import { logOut, refreshSession, type Session } from './sessions.js';

const sessionReply = z.object({
  token: z.string(),
  expiresIn: z.number(),
  refreshToken: z.string(),
  user: z.object({
    id: z.number(),
    email: z.string(),
    display_name: z.string(),
    role: z.enum(roles),
    organization_id: z.number(),
  }),
});

const refreshBody = z.strictObject({ refreshToken: z.string().min(1).max(200) });

export const accountOperations: Operation[] = [
  operation({
    method: 'post',
    path: '/api/auth/login',
    tag: 'Account',
    summary: 'Sign in with e-mail and password',
    access: 'anyone',
    body: z.strictObject({
      email: z.string().min(1).max(320),
      password: z.string().min(1).max(1000),
    }),
    replies: { 200: sessionReply },
    refusals: ['unauthenticated'],
    async handle(app, { body }) {
      return { status: 200, body: present(await logIn(app, body)) };
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
    async handle(app, { body }) {
      return { status: 200, body: present(await refreshSession(app, body.refreshToken)) };
    },
  }),
  operation({
    method: 'post',
    path: '/api/auth/logout',
    tag: 'Account',
    summary: 'End a session',
    access: 'anyone',
    body: refreshBody,
    replies: { 204: undefined },
    async handle(app, { body }) {
      await logOut(app, body.refreshToken);
      return { status: 204 };
    },
  }),
];

function present({ token, expiresIn, refreshToken, user }: Session): z.output<typeof sessionReply> {
  return {
    token,
    expiresIn,
    refreshToken,
    user: {
      id: user.id,
      email: user.email,
      display_name: user.displayName,
      role: user.role,
      organization_id: user.organizationId,
    },
  };
}
