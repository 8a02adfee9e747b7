import { z } from 'zod';
import { code } from '../accounts/users/accounts.schema.js';
import { verifier } from '../accounts/sso/sso.routes.js';
import type { App } from '../platform/app.js';
import { rehearse } from '../platform/db/in-transaction.js';
import { clientAddress } from '../platform/http/client-address.js';
import { fileHeaders } from '../platform/http/file-headers.js';
import { operation, type Operation, type Reply } from '../platform/http/operation.js';
import { flagText } from '../platform/http/paging.js';
import { eraseOwnData, erasePerson } from './erase-person.js';
import { exportOwnData, exportPerson, type PersonExport } from './export-person.js';
import { getRetention, setRetention } from './manage-retention.js';
import {
  erasureReply,
  personParams,
  presentErasure,
  retentionBody,
  retentionReply,
} from './privacy.schema.js';

const people = '/api/admin/people/:kind/:id';
const retention = '/api/admin/retention';
const zip = { replies: { 200: undefined }, produces: 'application/zip' } as const;

export const privacyOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/api/me/data',
    tag: 'Account',
    summary: 'All that is stored about you, as a zip of JSON files',
    access: 'ask',
    ...zip,
    refusals: ['not_found', 'rate_limited'],
    handle: async (app, { actor }) => zipReply(await exportOwnData(app, actor)),
  }),
  operation({
    method: 'post',
    path: '/api/me/erase',
    tag: 'Account',
    summary: 'Erase your account with all that is stored about you, for good',
    access: 'ask',
    body: z.strictObject({
      current_password: z.string().min(1).max(1000).optional(),
      code: code.optional(),
      sign_in: z
        .strictObject({ code: z.string().min(1).max(200), code_verifier: verifier })
        .optional()
        .describe(
          'In place of the password: of a sign-in by an identity provider that was begun with fresh=true.',
        ),
    }),
    replies: { 200: erasureReply },
    refusals: ['unprocessable', 'rate_limited', 'conflict', 'not_found'],
    async handle(app, { actor, body, ctx }) {
      const { currentPassword = '', code, signIn } = body;
      const proof =
        signIn === undefined
          ? { currentPassword, code }
          : { signIn: { code: signIn.code, codeVerifier: signIn.code_verifier } };
      const input = { ...proof, address: clientAddress(ctx) };
      return { body: presentErasure(await eraseOwnData(app, actor, input)) };
    },
  }),
  operation({
    method: 'post',
    path: `${people}/export`,
    tag: 'Administration',
    summary:
      'All that is stored about a person, as a zip of JSON files; it stands in the record of changes',
    access: 'administer',
    params: personParams,
    ...zip,
    refusals: ['rate_limited'],
    async handle(app, { actor, params }) {
      return zipReply(await exportPerson(app, actor, params));
    },
  }),
  operation({
    method: 'post',
    path: `${people}/erase`,
    tag: 'Administration',
    summary: 'Erase a person with all that is stored about them, for good',
    access: 'administer',
    params: personParams,
    query: z.strictObject({
      dry_run: flagText.optional().describe('Only count what would be erased, and change nothing.'),
    }),
    replies: { 200: erasureReply },
    refusals: ['conflict'],
    async handle(app, { actor, params, query }) {
      const work = (app: App) => erasePerson(app, actor, params);
      const erasure = query.dryRun === true ? await rehearse(app, work) : await work(app);
      return { body: presentErasure(erasure) };
    },
  }),
  operation({
    method: 'get',
    path: retention,
    tag: 'Administration',
    summary: 'The retention of your organization’s data',
    access: 'administer',
    replies: { 200: retentionReply },
    handle: async (app, { actor }) => ({ body: await getRetention(app, actor) }),
  }),
  operation({
    method: 'put',
    path: retention,
    tag: 'Administration',
    summary: 'Set for how long your organization keeps the given kinds of data',
    access: 'administer',
    body: retentionBody,
    replies: { 200: retentionReply },
    async handle(app, { actor, body: { signInPlaces: sign_in_places, ...rest } }) {
      return { body: await setRetention(app, actor, { sign_in_places, ...rest }) };
    },
  }),
];

function zipReply({ zip, person }: PersonExport): Reply {
  return { body: Buffer.from(zip), headers: fileHeaders(person, 'zip') };
}
