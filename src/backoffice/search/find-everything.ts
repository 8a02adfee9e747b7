import type { User } from '../../accounts/users/accounts.repository.js';
import { listUsersPage } from '../../accounts/users/manage-users.js';
import {
  walkConversationList,
  type ListedConversations,
} from '../../conversations/read-conversations.js';
import { browseBatches, type ListedBatch } from '../../ingestion/review/list-batches.js';
import type { Entry } from '../../knowledge/entry.js';
import { listEntries } from '../../knowledge/read-entries.js';
import { may, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { listRequests, type ShownRequest } from '../../requests/read-requests.js';

/** As many of each kind as one looks at; the rest stands in the list of the kind. */
export const shown = 5;

interface Some<T> {
  items: T[];
  total: number;
}

/** Everything that holds the words of a search, by kind. Kinds that the actor may not read are empty. */
export interface Found {
  entries: Some<Entry>;
  documents: Some<ListedBatch>;
  questions: Some<ShownRequest>;
  conversations: Pick<ListedConversations, 'items' | 'total' | 'isPart'>;
  people: Some<User>;
}

const none = { items: [], total: 0, isPart: false };

/** The first of each kind that the lists of the kinds find for the same words, in their order. */
export async function findEverything(app: App, actor: Actor, q: string): Promise<Found> {
  const first = { page: 1, limit: shown };
  const [entries, documents, questions, conversations, people] = await Promise.all([
    listEntries(app, actor, { ...first, q }),
    browseBatches(app, actor, { name: q, limit: shown }),
    may(actor, 'requests.resolve') ? listRequests(app, actor, { ...first, q }) : none,
    may(actor, 'conversations.read_all')
      ? walkConversationList(app, actor, { q, limit: shown })
      : none,
    may(actor, 'administer') ? listUsersPage(app, actor, { ...first, q }) : none,
  ]);
  return { entries, documents, questions, conversations, people };
}
