import type { Quote } from '../../knowledge/check-quotes.js';
import type { App } from '../../platform/app.js';
import type { Answer } from '../../answers/answer.js';
import { accountBehind } from '../../federation/one-person.repository.js';
import { insertCitations } from '../../knowledge/citations.repository.js';
import { findEntriesById } from '../../knowledge/entries.repository.js';
import { recordUsage } from '../../usage/charge-answer.js';
import { touchConversation } from '../store/conversations.repository.js';
import { insertMessage } from '../store/messages.repository.js';
import type { AnswerTimes } from '../store/conversation.js';
import type { StoredQuestion } from './store-question.js';

/** Stores an answer and its cost, inside a transaction. Returns its id; undefined for a deleted conversation. */
export async function storeReply(
  app: App,
  asked: StoredQuestion,
  answer: Answer,
  times: AnswerTimes,
): Promise<number | undefined> {
  const { language, text: content, mode, found, sources, unsupported, complete } = answer;
  const { asker, conversation, questionId, pageUrl, ofOtherApp } = asked;
  const { organizationId } = asker;
  // Read the owner now: the conversation may have passed from a visitor to an end user since the question.
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
        ...times,
        model: answer.model ?? null,
      })
    : undefined;
  if (reply !== undefined) {
    const cited = sources.map(({ entryUuid }) => entryUuid);
    await insertCitations(app, organizationId, reply.id, cited);
  }
  // A question that is deleted while it is answered costs the same: otherwise deleting it in time would be free.
  await storeCost(app, asked, answer.units, reply?.id);
  return reply?.id;
}

/**
 * The internal entries behind an answer to staff; other answers have none. Entries behind earlier turns are included
 * when an unsupported sentence of the answer may come from them.
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

/** Stores the cost of a question, inside a transaction. Without a reply, the cost refers to the question itself. */
export async function storeCost(
  app: App,
  { asker, conversation, questionId, channel }: StoredQuestion,
  units: number,
  replyId?: number,
): Promise<void> {
  if (units === 0) return;
  const { userId, endUserId } = asker.owner;
  // The account identifies the asker; the channel alone decides who pays.
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
