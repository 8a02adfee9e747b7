import type { Quote } from '../../knowledge/check-quotes.js';
import type { App } from '../../platform/app.js';
import type { Answer } from '../../answers/answer.js';
import { accountBehind } from '../../federation/one-person.repository.js';
import { findEntriesById } from '../../knowledge/entries.repository.js';
import { recordUsage } from '../../usage/record-usage.js';
import { deleteClaim } from '../store/running-answers.repository.js';
import { touchConversation } from '../store/conversations.repository.js';
import { insertMessage } from '../store/messages.repository.js';
import type { StoredQuestion } from './store-question.js';

/**
 * Stores the answer and what it cost, inside a transaction; answers its id, or undefined when the conversation was
 * deleted meanwhile.
 */
export async function storeReply(
  app: App,
  asked: StoredQuestion,
  answer: Answer,
): Promise<number | undefined> {
  const { language, text: content, mode, found, sources, unsupported, complete } = answer;
  const { asker, channel, conversation, questionId, pageUrl, ofOtherApp } = asked;
  const { organizationId } = asker;
  // Whose it is now: it may have become an end user's since the question.
  const reach = { organizationId, userId: 'anyone' } as const;
  const isThere = await touchConversation(app, reach, conversation.id);
  const reply = isThere
    ? await insertMessage(app, {
        conversationId: conversation.id,
        role: 'assistant',
        status: complete ? 'complete' : 'incomplete',
        language,
        content,
        mode,
        found,
        sources,
        unsupported,
        internalEntries: await internalOf(app, asked, answer),
        questionId,
        ofOtherApp,
        pageUrl,
      })
    : undefined;
  if (channel === 'cli') await deleteClaim(app, questionId);
  // What is deleted while it is answered has cost the same: else a deletion in time would be free.
  await storeCost(app, asked, answer.units, reply?.id);
  return reply?.id;
}

/**
 * What only staff may know of what an answer was made from; nobody else's was made from any. What the turns before it
 * tell is counted where a sentence of it may come from there, since no cited passage bears it out.
 */
async function internalOf(
  app: App,
  { question, inherited }: StoredQuestion,
  { read = [], mode, sources, unsupported }: Answer,
): Promise<Quote[]> {
  if (!question.scope.tiers.includes('internal')) return [];
  const entries = await findEntriesById(app, read);
  const own = entries
    .filter(({ visibility }) => visibility === 'internal')
    .map(({ uuid, version, visibility }) => ({ uuid, version, visibility }));
  const isBorneOut = mode === 'extractive' || (sources.length > 0 && unsupported.length === 0);
  const all = [...own, ...(isBorneOut ? [] : inherited)];
  return [...new Map(all.map((quote) => [`${quote.uuid}:${quote.version}`, quote])).values()];
}

/** Stores what a question has cost, inside a transaction; without a reply, the question itself is what was paid for. */
export async function storeCost(
  app: App,
  { asker, conversation, questionId, channel }: StoredQuestion,
  units: number,
  replyId?: number,
): Promise<void> {
  // Small talk costs nothing.
  if (units === 0) return;
  const { userId, endUserId } = asker.owner;
  // Who asked is known by the account; who pays is decided by the channel alone.
  const account = endUserId === null ? undefined : await accountBehind(app, endUserId);
  await recordUsage(app, {
    organizationId: asker.organizationId,
    appId: conversation.appId,
    messageId: replyId ?? questionId,
    channel,
    units,
    userId: userId ?? account,
  });
}
