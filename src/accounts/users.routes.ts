import { z } from 'zod';
import { roles } from '../platform/actor.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../platform/http/paging.js';
import { nameText, presentUser, searchText, userReply } from './accounts.schema.js';
import { createUser } from './create-user.js';
import { deleteUser, getUser, listUsersPage, resetPassword, updateUser } from './manage-users.js';

const base = '/api/admin/users';
const params = z.object({ id: z.coerce.number().int().min(1).describe('The number of the user.') });
const email = z.string().min(1).max(320);
const password = z.string().min(1).max(1000);

export const userOperations: Operation[] = [
  operation({
    method: 'get',
    path: base,
    tag: 'Administration',
    summary: 'The users of your organization',
    access: 'administer',
    query: z.strictObject({
      ...pagingQuery,
      role: z.enum(roles).optional().describe('Users of this role alone.'),
      disabled: z
        .enum(['true', 'false'])
        .optional()
        .describe('Only disabled ones, or only others.'),
      q: searchText.optional().describe('A part of the e-mail address or of the name.'),
    }),
    replies: { 200: listOf(userReply) },
    async handle(app, { actor, query }) {
      const disabled = query.disabled === undefined ? undefined : query.disabled === 'true';
      const paged = await listUsersPage(app, actor, { ...query, disabled });
      return listReply(paged, query, presentUser);
    },
  }),
  operation({
    method: 'post',
    path: base,
    tag: 'Administration',
    summary: 'Add a user',
    access: 'administer',
    body: z.strictObject({
      email,
      display_name: nameText.optional(),
      role: z.enum(roles),
      password,
    }),
    replies: { 201: userReply },
    refusals: ['conflict'],
    async handle(app, { actor, body }) {
      const { display_name, ...fields } = body;
      const user = await createUser(app, actor, { ...fields, displayName: display_name });
      const headers = { Location: `${base}/${user.id}` };
      return { status: 201, body: presentUser(user), headers };
    },
  }),
  operation({
    method: 'get',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'A user',
    access: 'administer',
    params,
    replies: { 200: userReply },
    refusals: ['not_found'],
    async handle(app, { actor, params }) {
      return { status: 200, body: presentUser(await getUser(app, actor, params.id)) };
    },
  }),
  operation({
    method: 'put',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'Change a user; disabling ends all of the user’s sessions and tokens',
    access: 'administer',
    params,
    body: z.strictObject({
      email: email.optional(),
      display_name: nameText.optional(),
      role: z.enum(roles).optional(),
      disabled: z.boolean().optional(),
    }),
    replies: { 200: userReply },
    refusals: ['not_found', 'conflict'],
    async handle(app, { actor, params, body }) {
      const { display_name, ...fields } = body;
      const change = { ...fields, displayName: display_name, id: params.id };
      return { status: 200, body: presentUser(await updateUser(app, actor, change)) };
    },
  }),
  operation({
    method: 'delete',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'Remove a user',
    access: 'administer',
    params,
    replies: { 204: undefined },
    refusals: ['not_found', 'conflict'],
    async handle(app, { actor, params }) {
      await deleteUser(app, actor, params.id);
      return { status: 204 };
    },
  }),
  operation({
    method: 'post',
    path: `${base}/:id/reset-password`,
    tag: 'Administration',
    summary: 'Give a user another password; ends all of the user’s sessions and tokens',
    access: 'administer',
    params,
    body: z.strictObject({ password }),
    replies: { 204: undefined },
    refusals: ['not_found'],
    async handle(app, { actor, params, body }) {
      await resetPassword(app, actor, { id: params.id, password: body.password });
      return { status: 204 };
    },
  }),
];
