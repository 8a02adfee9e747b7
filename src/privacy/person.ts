import { AppError } from '../platform/errors.js';

/** An account, a person of an app's host, a browser, or the one of them who holds a conversation. */
export const personKinds = ['user', 'end_user', 'visitor', 'conversation'] as const;
export type PersonKind = (typeof personKinds)[number];

/** A person by a kind and its number or id, or by an address. */
export type NamedPerson = { kind: PersonKind; id: string } | { email: string };

/** All that leads to a person in the database of an organization. */
export interface PersonKeys {
  organizationId: number;
  userIds: number[];
  endUserIds: number[];
  visitorIds: string[];
  /** Conversations that name nobody any more. */
  conversationIds: string[];
  /** Addresses that an admin has named. Anybody can state the address of somebody else: nothing else leads by one. */
  emails: string[];
}

/**
 * Pieces of JSON by which a record of changes names somebody: by numbers, which no two people share. An id or address
 * would be found wherever somebody has written it, and whoever named one could empty the records of other things.
 */
export function mentionsOf(keys: PersonKeys): string[] {
  const ended = (piece: string) => [`${piece},`, `${piece}}`];
  return [
    ...keys.userIds.flatMap((id) => [`"user_id":${id}`, `"user":{"id":${id}`].flatMap(ended)),
    ...keys.endUserIds.flatMap((id) => ended(`"end_user_id":${id}`)),
  ];
}

/** How records of changes call somebody; visitors change nothing that is recorded. */
export function personNames(keys: PersonKeys): string[] {
  return [
    ...keys.userIds.map((id) => `user:${id}`),
    ...keys.endUserIds.map((id) => `end_user:${id}`),
  ];
}

/**
 * Reads `ada@example.com`, `user:7`, `end_user:12`, `visitor:<uuid>` or `conversation:<uuid>`. Refuses with `usage` all
 * else.
 */
export function readPersonName(text: string): NamedPerson {
  const [, kind, id] = /^(user|end_user|visitor|conversation):(.+)$/.exec(text.trim()) ?? [];
  if (kind !== undefined && id !== undefined) return { kind: kind as PersonKind, id };
  if (text.includes('@')) return { email: text.trim() };
  const sentence = `expected an e-mail address, user:<number>, end_user:<number>, visitor:<uuid> or conversation:<uuid>, not ${JSON.stringify(text)}.`;
  throw new AppError('usage', `The person: ${sentence}`);
}
