import { AppError } from './errors.js';

export const visibilities = ['public', 'authenticated', 'internal'] as const;
/** Who may see an entry: everybody, signed-in people, or the organization's own staff. */
export type Visibility = (typeof visibilities)[number];

/** Whether fewer may read what has the first visibility than what has the second. */
export function isNarrower(one: Visibility, other: Visibility): boolean {
  return visibilities.indexOf(one) > visibilities.indexOf(other);
}

export const roles = ['user', 'backoffice', 'admin'] as const;
export type Role = (typeof roles)[number];

export const widgetKeyKinds = ['public', 'authenticated'] as const;
export type WidgetKeyKind = (typeof widgetKeyKinds)[number];

/**
 * Who asks. A value that every use-case takes, so that each door (HTTP, CLI, worker) has the same rights:
 * `operator` is the person who runs the machine and uses the CLI on one of its organizations; `end_user` is a person
 * whom an app's host vouches for by a user token; `visitor` is a browser that nobody vouches for, which a visitor
 * token lets come back to what it asked; `host_backend` is that host's server, which has shown the secret
 * of a widget key.
 */
export type Actor =
  | { kind: 'operator'; organizationId: number }
  | { kind: 'user'; organizationId: number; userId: number; role: Role }
  | { kind: 'widget_key'; organizationId: number; appId: number; keyKind: WidgetKeyKind }
  | { kind: 'end_user'; organizationId: number; appId: number; endUserId: number }
  | {
      kind: 'visitor';
      organizationId: number;
      appId: number;
      keyKind: WidgetKeyKind;
      visitorId: string;
    }
  | { kind: 'host_backend'; organizationId: number; appId: number; keyId: number }
  | { kind: 'anonymous' };

/** An actor that belongs to an organization and may act in it, not only read public pages. */
export type Member = Extract<Actor, { kind: 'operator' | 'user' }>;

/** Those who use an app's widget. */
export type WidgetPerson = Extract<Actor, { kind: 'end_user' | 'visitor' }>;

/** Whose a thing is: one of these, or nobody's where all are null, as what the operator of the machine makes. */
export interface Person {
  userId: number | null;
  endUserId: number | null;
  visitorId: string | null;
}

/** What each right needs: the table of rights over /api, once. The operator has them all. */
export const permissions = {
  /** To ask, and to have conversations, requests, notifications and an account of one's own. */
  ask: ['user', 'backoffice', 'admin'],
  'knowledge.read': ['user', 'backoffice', 'admin'],
  'knowledge.write': ['backoffice', 'admin'],
  'conversations.read_all': ['backoffice', 'admin'],
  'requests.resolve': ['backoffice', 'admin'],
  administer: ['admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

/** Whether the actor has the right, in its own organization. */
export function may(actor: Actor, permission: Permission): boolean {
  if (actor.kind === 'operator') return true;
  const holders: readonly Role[] = permissions[permission];
  return actor.kind === 'user' && holders.includes(actor.role);
}

/**
 * Refuses with `unauthenticated` when nobody has signed in, which a widget's people never have, and with `forbidden`
 * when the role does not suffice.
 */
export function requirePermission(actor: Actor, permission: Permission): Member {
  const member = actor.kind === 'operator' || actor.kind === 'user' ? actor : undefined;
  if (member !== undefined && may(member, permission)) return member;
  if (actor.kind === 'anonymous') {
    throw new AppError('unauthenticated', 'Sign in first: send Authorization: Bearer <token>.');
  }
  if (actor.kind === 'end_user' || actor.kind === 'visitor') {
    const sentence = 'A token of a widget is no access token. Sign in, and send that token.';
    throw new AppError('unauthenticated', sentence);
  }
  throw new AppError('forbidden', `This credential does not have the right "${permission}".`);
}

/**
 * Actors who may ask, and have things of their own: the people of an organization, and, over the widget, those who use
 * its apps: their credentials open nothing else. Refuses anybody else as requirePermission(actor, 'ask') does.
 */
export function requireAsker(actor: Actor, overWidget: boolean): Member | WidgetPerson {
  const isOfWidget = actor.kind === 'end_user' || actor.kind === 'visitor';
  return overWidget && isOfWidget ? actor : requirePermission(actor, 'ask');
}

export function personOf(actor: Member | WidgetPerson): Person {
  return {
    userId: actor.kind === 'user' ? actor.userId : null,
    endUserId: actor.kind === 'end_user' ? actor.endUserId : null,
    visitorId: actor.kind === 'visitor' ? actor.visitorId : null,
  };
}

/** The tiers that an actor sees of its own organization's knowledge. */
export function ownTiers(actor: Actor): Visibility[] {
  switch (actor.kind) {
    case 'operator':
      return [...visibilities];
    case 'user':
      return actor.role === 'user' ? ['public', 'authenticated'] : [...visibilities];
    case 'widget_key':
    case 'visitor':
      return actor.keyKind === 'authenticated' ? ['public', 'authenticated'] : ['public'];
    case 'end_user':
      return ['public', 'authenticated'];
    case 'host_backend':
    case 'anonymous':
      return ['public'];
  }
}

/**
 * The tiers that an actor sees of the site that a page belongs to. To a foreign organization, or with the
 * key of another app, everybody is a stranger: the public tier only.
 */
export function tiersAt(
  actor: Actor,
  site: { organizationId: number; appId: number },
): Visibility[] {
  const own =
    actor.kind !== 'anonymous' &&
    actor.organizationId === site.organizationId &&
    (!('appId' in actor) || actor.appId === site.appId);
  return own ? ownTiers(actor) : ['public'];
}

/** How the actor stands in a record of changes. */
export function nameOf(actor: Actor): string {
  switch (actor.kind) {
    case 'operator':
      return 'operator';
    case 'user':
      return `user:${actor.userId}`;
    case 'widget_key':
      return `app:${actor.appId}`;
    case 'end_user':
      return `end_user:${actor.endUserId}`;
    case 'visitor':
      return `visitor:${actor.visitorId}`;
    case 'host_backend':
      return `widget_key:${actor.keyId}`;
    case 'anonymous':
      return 'anonymous';
  }
}
