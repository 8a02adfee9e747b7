import { pageOfCitations, type CitationPage } from '../knowledge/citations.repository.js';
import { getEntry } from '../knowledge/read-entries.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Paged } from '../platform/db/select-page.js';
import { readableBy } from './read-conversations.js';
import { findCitingAnswers } from './store/messages.repository.js';
import type { CitingAnswer } from './store/conversation.js';
import { owned } from './store/conversations.repository.js';

/**
 * The answers that cite an entry, in conversations that the actor may read: its own or, for staff, the organization's.
 * The newest first; `before` names the answer after which a page begins, and leaves the total as it is. Errors:
 * `not_found` for an entry that the actor may not see.
 */
export async function listAnswersCiting(
  app: App,
  actor: Actor,
  { name, ...page }: CitationPage & { name: string },
): Promise<Paged<CitingAnswer>> {
  const { organizationId } = requirePermission(actor, 'knowledge.read');
  const { uuid } = await getEntry(app, actor, name);
  const reach = readableBy(actor);
  const readable =
    reach.userId === 'anyone'
      ? undefined
      : app.db
          .read('messages')
          .whereIn('conversation_id', owned(app, reach).select('id'))
          .select('id');
  const cited = { organizationId, uuid, readable };
  const { items, total } = await pageOfCitations(app, cited, page);
  return { items: await findCitingAnswers(app, items), total };
}
