import { describeEndUser } from '../federation/describe-end-user.js';
import { countUnread } from '../notifications/read-notifications.js';
import { AppError } from '../platform/errors.js';
import type { Actor, WidgetPerson } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { findApp, findOrganization } from '../tenancy/sites.repository.js';

/** The facts that a widget needs before it shows itself. */
export interface WidgetFacts {
  app: { id: number; name: string };
  organization: { name: string };
  identity: { kind: WidgetPerson['kind']; displayName: string | null; hasEmail: boolean };
  /** True when people's answers can be sent by e-mail. */
  sendsMail: boolean;
  unread: number;
}

/** The app, its organization, and the person who uses its widget. Errors: `unauthenticated` for other actors. */
export async function readWidgetConfig(app: App, actor: Actor): Promise<WidgetFacts> {
  const person = requireWidgetPerson(actor);
  const [site, organization, endUser, unread] = await Promise.all([
    findApp(app, person.appId),
    findOrganization(app, person.organizationId),
    person.kind === 'end_user'
      ? describeEndUser(app, person.organizationId, person.endUserId)
      : undefined,
    countUnread(app, person, 'widget'),
  ]);
  if (site === undefined || organization === undefined)
    throw new AppError('not_found', 'The app of this widget is gone.');
  return {
    app: { id: site.id, name: site.name },
    organization: { name: organization.name },
    identity: {
      kind: person.kind,
      displayName: endUser?.displayName ?? null,
      hasEmail: typeof endUser?.email === 'string',
    },
    sendsMail: app.config.mail.host !== '',
    unread,
  };
}

function requireWidgetPerson(actor: Actor): WidgetPerson {
  if (actor.kind === 'end_user' || actor.kind === 'visitor') return actor;
  const sentence = 'Send a widget key, or the user token of an end user.';
  throw new AppError('unauthenticated', sentence);
}
