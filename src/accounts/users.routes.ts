import { z } from 'zod';
import { roles } from '../platform/actor.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { flagText, numberOf } from '../platform/http/paging.js';
import { resource } from '../platform/http/resource.js';
import { nameText, password, presentUser, searchText, userReply } from './users/accounts.schema.js';
import { createUser } from './users/create-user.js';
import {
  deleteUser,
  getUser,
  listUsersPage,
  resetPassword,
  updateUser,
} from './users/manage-users.js';

const base = '/api/admin/users';
const params = numberOf('user');
const email = z.string().min(1).max(320);

export const userOperations: Operation[] = [
  ...resource({
    base,
    tag: 'Administration',
    access: 'administer',
    params,
    reply: userReply,
    present: presentUser,
    list: {
      summary: 'The users of your organization',
      query: {
        role: z.enum(roles).optional().describe('Only users of this role.'),
        disabled: flagText.optional().describe('Only disabled ones, or only others.'),
        q: searchText.optional().describe('A part of the e-mail address or of the name.'),
      },
      run: listUsersPage,
    },
    create: {
      summary: 'Add a user',
      body: z.strictObject({
        email,
        display_name: nameText.optional(),
        role: z.enum(roles),
        password,
      }),
      refusals: ['conflict'],
      run: createUser,
    },
    show: { summary: 'A user', run: getUser },
    update: {
      summary: 'Change a user; disabling ends all of the user’s sessions and tokens',
      body: z.strictObject({
        email: email.optional(),
        display_name: nameText.optional(),
        role: z.enum(roles).optional(),
        disabled: z.boolean().optional(),
      }),
      refusals: ['conflict'],
      run: (app, actor, id, change) => updateUser(app, actor, { ...change, id }),
    },
    delete: { summary: 'Remove a user', refusals: ['conflict'], run: deleteUser },
  }),
  operation({
    method: 'post',
    path: `${base}/:id/reset-password`,
    tag: 'Administration',
    summary: 'Set a user’s password; ends all of the user’s sessions and tokens',
    access: 'administer',
    params,
    body: z.strictObject({ password }),
    replies: { 204: undefined },
    async handle(app, { actor, params, body }) {
      await resetPassword(app, actor, { ...params, ...body });
    },
  }),
];
