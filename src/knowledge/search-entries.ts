import { ownTiers, requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { searchPassages, type FoundPassage } from '../retrieval/search-passages.js';
import { findEntriesById } from './entries.repository.js';
import type { Entry } from './entry.js';

/** The published passages that the actor may see and that match a text best, with their entries. */
export async function searchEntries(
  app: App,
  actor: Actor,
  input: { text: string; limit: number },
): Promise<{ entry: Entry; passage: FoundPassage }[]> {
  const member = requirePermission(actor, 'knowledge.read');
  const scope = {
    organizationId: member.organizationId,
    appId: undefined,
    tiers: ownTiers(member),
  };
  const { passages } = await searchPassages(app, { ...input, scope });
  const entries = await findEntriesById(
    app,
    passages.map((passage) => passage.entryId),
  );
  return passages.flatMap((passage) => {
    const entry = entries.find((one) => one.id === passage.entryId);
    return entry === undefined ? [] : [{ entry, passage }];
  });
}
