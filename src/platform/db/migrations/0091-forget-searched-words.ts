import type { Knex } from 'knex';

const downloads = { action: 'conversation.export' };

/** Removes the searched words from the records of downloads: these may name a person, and no erasure finds them. */
export async function forgetSearchedWords(trx: Knex): Promise<void> {
  const rows: { id: number; after: string | null }[] = await trx('audit_log')
    .where(downloads)
    .select('id', 'after');
  for (const { id, after } of rows) {
    const filter = JSON.parse(after ?? '{}') as Record<string, unknown>;
    if (typeof filter['q'] !== 'string') continue;
    await trx('audit_log')
      .where({ id })
      .update({ after: JSON.stringify({ ...filter, q: true }) });
  }
}
