import { AppError } from '../platform/errors.js';

/** The kinds of persons: an account, a person of an app's host, a browser, or the owner of a conversation. */
export const personKinds = ['user', 'end_user', 'visitor', 'conversation'] as const;
export type PersonKind = (typeof personKinds)[number];

export type NamedPerson = { kind: PersonKind; id: string } | { email: string };

/** Everything that leads to a person in an organization's data. */
export interface PersonKeys {
  organizationId: number;
  userIds: number[];
  endUserIds: number[];
  visitorIds: string[];
  /** Conversations that no longer name an owner. */
  conversationIds: string[];
  /** Addresses that an admin named. Anybody can enter somebody else's address, so they lead to nothing else. */
  emails: string[];
}

/**
 * The JSON fragments with which the audit log names a person, only by numeric ids, which are unique. An address or
 * other text could occur anywhere, and by naming it somebody could empty unrelated records.
 */
export function mentionsOf(keys: PersonKeys): string[] {
  const ended = (piece: string) => [`${piece},`, `${piece}}`];
  return [
    ...keys.userIds.flatMap((id) => [`"user_id":${id}`, `"user":{"id":${id}`].flatMap(ended)),
    ...keys.endUserIds.flatMap((id) => ended(`"end_user_id":${id}`)),
  ];
}

/** A person's names in the audit log. Visitors make no recorded changes. */
export function personNames(keys: PersonKeys): string[] {
  return [
    ...keys.userIds.map((id) => `user:${id}`),
    ...keys.endUserIds.map((id) => `end_user:${id}`),
  ];
}

/** Parses `ada@example.com`, `user:7`, `end_user:12`, `visitor:<uuid>` or `conversation:<uuid>`; else `usage`. */
export function readPersonName(text: string): NamedPerson {
  const [, kind, id] = /^(user|end_user|visitor|conversation):(.+)$/.exec(text.trim()) ?? [];
  if (kind !== undefined && id !== undefined) return { kind: kind as PersonKind, id };
  if (text.includes('@')) return { email: text.trim() };
  const sentence = `expected an e-mail address, user:<number>, end_user:<number>, visitor:<uuid> or conversation:<uuid>, not ${JSON.stringify(text)}.`;
  throw new AppError('usage', `The person: ${sentence}`, { reason: { is: 'person_form' } });
}
