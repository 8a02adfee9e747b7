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
  emails: string[];
  /** Pieces of JSON by which a record of changes tells of them. */
  mentions: string[];
}

/** How records of changes call somebody; visitors change nothing that is recorded. */
export function personNames(keys: PersonKeys): string[] {
  return [
    ...keys.userIds.map((id) => `user:${id}`),
    ...keys.endUserIds.map((id) => `end_user:${id}`),
  ];
}

/** Reads `ada@example.com`, `user:7`, `end_user:12`, `visitor:<uuid>` or `conversation:<uuid>`. Refuses with `usage` all else. */
export function readPersonName(text: string): NamedPerson {
  const [, kind, id] = /^(user|end_user|visitor|conversation):(.+)$/.exec(text.trim()) ?? [];
  if (kind !== undefined && id !== undefined) return { kind: kind as PersonKind, id };
  if (text.includes('@')) return { email: text.trim() };
  const sentence = `expected an e-mail address, user:<number>, end_user:<number>, visitor:<uuid> or conversation:<uuid>, not ${JSON.stringify(text)}.`;
  throw new AppError('usage', `The person: ${sentence}`);
}
