import { recordChange } from '../audit/record-change.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { snakeName } from '../platform/wire-names.js';
import { listApps } from '../tenancy/sites.repository.js';
import { exportFormats, type ExportedPart } from './export-formats.js';
import {
  countMatching,
  readFilter,
  showMessages,
  walkMatching,
  type ConversationInput,
} from './read-conversations.js';
import { askerOf } from './store/asker.js';
import type { Conversation, ExportFormat } from './store/conversation.js';
import type { ConversationFilter } from './store/conversation-filter.repository.js';
import { countMessagesIn, messagesAfter } from './store/messages.repository.js';

/** Conversations that are read at once. */
const sliceOf = 100;
/** Messages that are read at once: a conversation may have any number of them. */
const mostMessages = 500;

export interface ExportInput extends ConversationInput {
  format: ExportFormat;
}

/**
 * All conversations that fit a filter, with their messages, as the pieces of a file: those that began first come first,
 * and those with words in the order of walkMatching.
 * Only a slice of them is in memory. The export is recorded, because it reads other people's conversations. `identify` is
 * called before each slice, because a long export must end with the right to it. `onProgress` receives the number of
 * exported conversations and the approximate total.
 * Refuses before the first piece: as listConversations does, with `forbidden` who may read only their own conversations,
 * and with `rate_limited` while another export of the same person runs.
 */
export async function exportConversations(
  app: App,
  identify: () => Promise<Actor>,
  { format, ...input }: ExportInput,
  onProgress?: (done: number, total: number) => void,
): Promise<AsyncGenerator<string>> {
  const actor = await identify();
  const member = requirePermission(actor, 'conversations.read_all');
  const { organizationId } = member;
  const reach = { organizationId, userId: 'anyone' } as const;
  const filter = await readFilter(app, actor, input);
  const end = app.exports.begin(member);
  const pieces = (async function* () {
    try {
      await recordChange(app, actor, {
        organizationId,
        action: 'conversation.export',
        subject: `organization:${organizationId}`,
        after: { format, ...recorded(input) },
      });
      // Begins the generator: only then does an early end free the place for the next export.
      yield '';
      const file = exportFormats[format];
      yield file.head;
      const total = onProgress === undefined ? 0 : await countMatching(app, reach, filter);
      let done = 0;
      for await (const part of readParts(app, identify, filter)) {
        yield file.write(part);
        if (!part.isLast) continue;
        done += 1;
        // More may have begun since the count.
        onProgress?.(done, Math.max(done, total));
      }
    } finally {
      end();
    }
  })();
  await pieces.next();
  return pieces;
}

/**
 * The filter as it is recorded: without the query behind an outcome, and without the words. These may be a person's name
 * or address, which an erasure would not find in the record.
 */
function recorded({ outcome, q, ...filter }: ConversationInput): object {
  const hasWords = q === undefined ? undefined : true;
  const named = Object.entries({ ...filter, q: hasWords, outcome: outcome?.is });
  return Object.fromEntries(named.map(([name, value]) => [snakeName(name), value]));
}

async function* readParts(
  app: App,
  identify: () => Promise<Actor>,
  filter: ConversationFilter,
): AsyncGenerator<ExportedPart> {
  const apps = new Map<number, string>();
  for (let after: string | undefined, more = true; more;) {
    const actor = await identify();
    const { organizationId } = requirePermission(actor, 'conversations.read_all');
    const reach = { organizationId, userId: 'anyone' } as const;
    const page = { after, limit: sliceOf, order: 'begun' } as const;
    const { items, next } = await walkMatching(app, reach, filter, page);
    if (apps.size === 0) {
      for (const { id, name } of await listApps(app, organizationId)) apps.set(id, name);
    }
    for await (const part of readMessages(app, actor, items)) {
      yield { ...part, app: apps.get(part.conversation.appId ?? 0) ?? null };
    }
    after = next;
    more = next !== undefined;
  }
}

/** The messages of conversations, as many conversations at once as have few messages. */
async function* readMessages(
  app: App,
  actor: Actor,
  all: Conversation[],
): AsyncGenerator<Omit<ExportedPart, 'app'>> {
  const reader = askerOf(actor).actor;
  const ids = all.map(({ id }) => id);
  const counts = await countMessagesIn(app, ids);
  for (let at = 0; at < all.length;) {
    const some: Conversation[] = [];
    for (let sum = 0; at < all.length; at += 1) {
      const next = all[at];
      if (next === undefined) break;
      sum += counts.get(next.id) ?? 0;
      if (some.length > 0 && sum > mostMessages) break;
      some.push(next);
    }
    // Only a conversation that is alone here can have more messages than are read at once.
    const only = some.map(({ id }) => id);
    for (let last = 0, isFirst = true, more = true; more;) {
      const stored = await messagesAfter(app, only, { after: last, limit: mostMessages });
      const shown = await showMessages(app, reader, stored);
      more = stored.length === mostMessages && some.length === 1;
      last = stored.at(-1)?.id ?? last;
      for (const conversation of some) {
        const messages = shown.filter((one) => one.conversationId === conversation.id);
        yield { conversation, messages, isFirst, isLast: !more };
      }
      isFirst = false;
    }
  }
}
