import { operation, type Operation } from '../platform/http/operation.js';
import { idParams } from '../tenancy/tenancy.schema.js';
import { deleteApp } from './delete-app.js';

/** Apart from the other operations on apps: what an app still has is known above the tenancy alone. */
export const appDeletionOperations: Operation[] = [
  operation({
    method: 'delete',
    path: '/api/admin/apps/:id',
    tag: 'Administration',
    summary: 'Delete an app that has no entries, batches and domains any more',
    access: 'administer',
    params: idParams,
    replies: { 204: undefined },
    refusals: ['conflict'],
    async handle(app, { actor, params }) {
      await deleteApp(app, actor, params.id);
    },
  }),
];
