import { AppError } from './errors.js';

export const visibilities = ['public', 'authenticated', 'internal'] as const;
/** Who may see an entry: everybody, signed-in people, or the organization's own staff. */
export type Visibility = (typeof visibilities)[number];

/** True when fewer people may read the first visibility than the second. */
export function isNarrower(one: Visibility, other: Visibility): boolean {
  return visibilities.indexOf(one) > visibilities.indexOf(other);
}

export const roles = ['user', 'backoffice', 'admin'] as const;
export type Role = (typeof roles)[number];

export const widgetKeyKinds = ['public', 'authenticated'] as const;
export type WidgetKeyKind = (typeof widgetKeyKinds)[number];

/**
 * The caller of a use-case. Every use-case takes one, so that each door (HTTP, CLI, worker) has the same rights.
 * `operator`: the person who runs the machine and uses the CLI on one of its organizations. `end_user`: a person whom
 * an app's host identifies by a user token. `visitor`: a browser that nobody identifies; a visitor token lets it return
 * to its own questions. `host_backend`: the host's server, which has shown the secret of a widget key.
 */
export type Actor =
  | {
      kind: 'operator';
      organizationId: number;
      /** A job's name in the record of changes. */ as?: string;
    }
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

/** The people who use an app's widget. */
export type WidgetPerson = Extract<Actor, { kind: 'end_user' | 'visitor' }>;

/** The owner of a record: one of these ids. All are null when the operator of the machine created the record. */
export interface Person {
  userId: number | null;
  endUserId: number | null;
  visitorId: string | null;
}

/** The roles that have each right over /api. The operator has every right. */
export const permissions = {
  /** Asking, and managing one's own conversations, requests, notifications and account. */
  ask: ['user', 'backoffice', 'admin'],
  'knowledge.read': ['user', 'backoffice', 'admin'],
  'knowledge.write': ['backoffice', 'admin'],
  'conversations.read_all': ['backoffice', 'admin'],
  'requests.resolve': ['backoffice', 'admin'],
  administer: ['admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

export function may(actor: Actor, permission: Permission): boolean {
  if (actor.kind === 'operator') return true;
  const holders: readonly Role[] = permissions[permission];
  return actor.kind === 'user' && holders.includes(actor.role);
}

/**
 * Errors: `unauthenticated` when no user of the organization has signed in (always the case for widget people);
 * `forbidden` when the role does not have the right.
 */
export function requirePermission(actor: Actor, permission: Permission): Member {
  const member = actor.kind === 'operator' || actor.kind === 'user' ? actor : undefined;
  if (member !== undefined && may(member, permission)) return member;
  if (actor.kind === 'anonymous') {
    throw new AppError('unauthenticated', 'Sign in first: send Authorization: Bearer <token>.');
  }
  if (actor.kind === 'end_user' || actor.kind === 'visitor') {
    const sentence =
      'This is a token of a widget, not an access token. Sign in, and send the access token.';
    throw new AppError('unauthenticated', sentence);
  }
  throw new AppError('forbidden', `This credential does not have the right "${permission}".`);
}

/**
 * Actors who may ask and own conversations: the people of an organization and, over the widget, the people who use its
 * apps. Credentials of widget people work only over the widget. Refuses other actors as requirePermission(actor, 'ask')
 * does.
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

/** The visibility tiers of its own organization's knowledge that an actor may see. */
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
 * The visibility tiers that an actor may see on the site of a page. An actor from another organization, or with another
 * app's key, sees only the public tier.
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

/** The actor's name in the record of changes. */
export function nameOf(actor: Actor): string {
  switch (actor.kind) {
    case 'operator':
      return actor.as ?? 'operator';
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
