import { randomUUID } from 'node:crypto';
import type { WithDb } from '../platform/app.js';

interface KeptTopicsRow {
  organization_id: number;
  since: string;
  token: string;
  topics: string | null;
}

/** The kept topics of an organization since a time, as JSON. Triggers delete them when anything that they are made of changes. */
export async function findKeptTopics(
  app: WithDb,
  organizationId: number,
  since: string,
): Promise<string | undefined> {
  const row = await app.db
    .read<KeptTopicsRow>('kept_topics')
    .where({ organization_id: organizationId, since })
    .first('topics');
  return row?.topics ?? undefined;
}

/** Begins to form topics, before their questions are read: a change from now on ends the work. Returns its token. */
export async function beginTopics(
  app: WithDb,
  organizationId: number,
  since: string,
): Promise<string> {
  const token = randomUUID();
  await app.db
    .write('kept_topics')
    .insert({ organization_id: organizationId, since, token, topics: null })
    .onConflict('organization_id')
    .merge();
  return token;
}

/** Keeps the topics of this work, unless something has changed since it began. */
export async function keepTopics(
  app: WithDb,
  organizationId: number,
  token: string,
  topics: string,
): Promise<void> {
  await app.db
    .write('kept_topics')
    .where({ organization_id: organizationId, token })
    .update({ topics });
}
