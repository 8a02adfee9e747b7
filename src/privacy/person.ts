import { AppError } from '../platform/errors.js';

export const personKinds = ['user', 'end_user', 'visitor'] as const;
export type PersonKind = (typeof personKinds)[number];

/** Whom somebody asks about: an account, a person of an app's host, or a browser; or whoever has an address. */
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

/** Reads `ada@example.com`, `user:7`, `end_user:12` or `visitor:<uuid>`. Refuses with `usage` anything else. */
export function readPersonName(text: string): NamedPerson {
  const [, kind, id] = /^(user|end_user|visitor):(.+)$/.exec(text.trim()) ?? [];
  if (kind !== undefined && id !== undefined) return { kind: kind as PersonKind, id };
  if (text.includes('@')) return { email: text.trim() };
  const sentence = `expected an e-mail address, user:<number>, end_user:<number> or visitor:<uuid>, not ${JSON.stringify(text)}.`;
  throw new AppError('usage', `The person: ${sentence}`);
}
