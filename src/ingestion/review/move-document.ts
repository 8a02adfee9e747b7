import { recordChange } from '../../audit/record-change.js';
import { nameOf, requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { updateSource } from '../../knowledge/entries.repository.js';
import { findEntriesWhere } from '../../knowledge/entry-lists.repository.js';
import { patternOfSource } from '../../knowledge/match-pattern.js';
import { raiseRevision } from '../../knowledge/page.repository.js';
import { changeEntry, recordEntry } from '../../knowledge/store-entries.js';
import { moveReadings } from '../batches/batches.repository.js';
import { getBareBatch } from './review-batch.js';

/**
 * Gives a page's document, named by one of its readings, the address to which the page has moved. Its entries keep their
 * ids, texts and states. They are shown on the new page if they were shown on the old one alone. Errors: `not_found`.
 */
export async function moveDocument(
  app: App,
  actor: Actor,
  batchId: string,
  address: string,
): Promise<void> {
  const member = requirePermission(actor, 'knowledge.write');
  const { organizationId } = member;
  await inTransaction(app, async (app) => {
    const batch = await getBareBatch(app, member, batchId);
    const { document, domain, sourceUrl } = batch;
    if (sourceUrl === address) return;
    const pattern = patternOfSource(domain, address);
    for (const entry of await findEntriesWhere(app, { organizationId, document })) {
      const own = patternOfSource(domain, entry.sourceUrl);
      if (own === null || pattern === null || entry.urlPattern !== own) {
        await updateSource(app, entry.id, { sourceUrl: address });
        continue;
      }
      const change = { urlPattern: pattern, sourceUrl: address };
      const after = await changeEntry(app, entry, change, nameOf(member));
      await recordEntry(app, member, 'update', { before: entry, after });
    }
    await raiseRevision(app, batch.appId);
    await moveReadings(app, organizationId, document, address);
    await recordChange(app, member, {
      organizationId,
      action: 'document.move',
      subject: `batch:${batchId}`,
      before: { source_url: sourceUrl },
      after: { source_url: address },
    });
  });
}
