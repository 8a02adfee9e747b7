import { z } from 'zod';
import type { ErrorCode } from '../platform/errors.js';
import { clientAddress } from '../platform/http/client-address.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { numberOf } from '../platform/http/paging.js';
import { code, password, presentSession, sessionReply } from './users/accounts.schema.js';
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
} from './users/manage-second-factor.js';

const base = '/api/auth/two-factor';
const credentials = { email: z.string().min(1).max(320), password };
const withCode = z.strictObject({ ...credentials, code });
const recoveryCodes = z.array(z.string()).describe('Each replaces a code once. Shown only once.');
const refusals: ErrorCode[] = [
  'unauthenticated',
  'rate_limited',
  'second_factor_required',
  'conflict',
];

export const secondFactorOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/api/me/two-factor',
    tag: 'Account',
    summary: 'Whether your account has a second factor',
    access: 'ask',
    replies: {
      200: z.object({
        enabled: z.boolean(),
        required: z.boolean().describe('True when auth.require_two_factor requires it.'),
        recovery_codes_left: z.number(),
      }),
    },
    async handle(app, { actor }) {
      const { enabled, required, recoveryCodesLeft } = await getSecondFactor(app, actor);
      return { body: { enabled, required, recovery_codes_left: recoveryCodesLeft } };
    },
  }),
  operation({
    method: 'post',
    path: base,
    tag: 'Account',
    summary: 'Begin to set up a second factor: the secret for the authenticator app',
    access: 'anyone',
    body: z.strictObject(credentials),
    replies: {
      200: z.object({
        secret: z.string().describe('Base32. Shown this once.'),
        otpauth_uri: z.string().describe('Show it as a QR code.'),
      }),
    },
    refusals: ['unauthenticated', 'rate_limited', 'password_sign_in_off', 'conflict'],
    async handle(app, { body, ctx }) {
      const begun = await beginSecondFactor(app, { ...body, address: clientAddress(ctx) });
      return { body: { secret: begun.secret, otpauth_uri: begun.otpauthUri } };
    },
  }),
  operation({
    method: 'post',
    path: `${base}/confirm`,
    tag: 'Account',
    summary: 'Confirm the second factor by a first code, and sign in',
    access: 'anyone',
    body: withCode,
    replies: { 200: z.object({ recovery_codes: recoveryCodes, session: sessionReply }) },
    refusals: [...refusals, 'password_sign_in_off'],
    async handle(app, { body, ctx }) {
      const confirmed = await confirmSecondFactor(app, { ...body, address: clientAddress(ctx) });
      const session = presentSession(confirmed.session);
      return { body: { recovery_codes: confirmed.recoveryCodes, session } };
    },
  }),
  operation({
    method: 'post',
    path: `${base}/recovery-codes`,
    tag: 'Account',
    summary: 'Replace the recovery codes',
    access: 'anyone',
    body: withCode,
    replies: { 200: z.object({ recovery_codes: recoveryCodes }) },
    refusals,
    async handle(app, { body, ctx }) {
      const codes = await renewRecoveryCodes(app, { ...body, address: clientAddress(ctx) });
      return { body: { recovery_codes: codes } };
    },
  }),
  operation({
    method: 'post',
    path: `${base}/disable`,
    tag: 'Account',
    summary: 'Remove your second factor',
    access: 'anyone',
    body: withCode,
    replies: { 204: undefined },
    refusals,
    async handle(app, { body, ctx }) {
      await disableSecondFactor(app, { ...body, address: clientAddress(ctx) });
    },
  }),
  operation({
    method: 'post',
    path: '/api/admin/users/:id/reset-two-factor',
    tag: 'Administration',
    summary: 'Remove a user’s second factor, and end all of the user’s sessions',
    access: 'administer',
    params: numberOf('user'),
    replies: { 204: undefined },
    refusals: ['conflict'],
    async handle(app, { actor, params }) {
      await resetSecondFactor(app, actor, params.id);
    },
  }),
];
