import { permissions, type Permission } from '../../actor.js';
import type { Access } from '../operation.js';

/** How each kind of credential is sent. */
export const securitySchemes: Record<string, Record<string, string>> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token from POST /api/auth/login, or a named API token. It speaks for a user, with the rights of their role.',
  },
  userToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A user token from POST /widget/token. It identifies a person of an app’s host.',
  },
  widgetKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Widget-Key',
    description: 'The public key of an app (wk_live_…). Safe in a page.',
  },
  visitorToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Visitor-Token',
    description:
      'A token that a visitor received with an answer. It opens the visitor’s own questions.',
  },
  widgetSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Widget-Secret',
    description: 'The secret of a widget key (wsk_secret_…). It stays on the host’s backend.',
  },
};

/** The alternative credentials of an operation; for a bearer token also the roles that have the right. */
export function securityOf(access: Access): Record<string, string[]>[] {
  switch (access) {
    case 'anyone':
      return [];
    case 'optional':
      return [{}, { bearer: [] }, { userToken: [] }, { widgetKey: [] }];
    case 'widget':
      return [
        { widgetKey: [] },
        { widgetKey: [], visitorToken: [] },
        { userToken: [] },
        { userToken: [], widgetKey: [] },
      ];
    case 'host_backend':
      return [{ widgetKey: [], widgetSecret: [] }];
    default:
      return [{ bearer: [...permissions[access]] }];
  }
}

/** The allowed callers, in words. */
export function describeAccess(access: Access): string {
  switch (access) {
    case 'anyone':
      return 'Anyone. Credentials are ignored.';
    case 'optional':
      return 'Anyone. The credential decides what is seen: none, an access token, a user token or a widget key.';
    case 'widget':
      return 'A page on a domain that is registered for the app (by its Origin), with X-Widget-Key, and X-Visitor-Token once one was given; or with the user token of an end user.';
    case 'host_backend':
      return 'The backend of a host, with X-Widget-Key and X-Widget-Secret. Never a browser.';
    default:
      return `An access token of the role ${inWords(access)}.`;
  }
}

function inWords(permission: Permission): string {
  const roles = [...permissions[permission]];
  const last = roles.pop() ?? '';
  return roles.length === 0 ? last : `${roles.join(', ')} or ${last}`;
}
