import { chooseLanguage } from '../../answers/choose-language.js';
import { smallTalkIn } from '../../answers/small-talk.js';
import { nameOf } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { shorten } from '../../platform/text/shorten.js';
import type { Conversation } from '../store/conversation.js';
import { insertClaim, isClaimed } from '../store/running-answers.repository.js';
import { insertConversation, touchConversation } from '../store/conversations.repository.js';
import { insertMessage } from '../store/messages.repository.js';
import type { PreparedQuestion } from './prepare-question.js';

export interface StoredQuestion extends PreparedQuestion {
  conversation: Conversation;
  questionId: number;
}

const titleLength = 80;

/**
 * Stores a question in its conversation before any part of its answer is sent, so that a failing model or process loses
 * no question. Errors: `not_found` when the conversation or the asker was deleted meanwhile.
 */
export async function storeQuestion(app: App, asked: PreparedQuestion): Promise<StoredQuestion> {
  const { known, pageUrl, ofOtherApp, question } = asked;
  const store = async (app: App) => {
    const conversation = known ?? (await begin(app, asked));
    const message = {
      conversationId: conversation.id,
      role: 'user' as const,
      status: 'complete' as const,
      language: chooseLanguage(question.text, question),
      content: question.text,
      mode: null,
      found: null,
      sources: [],
      unsupported: [],
      internalEntries: [],
      questionId: null,
      ofOtherApp,
      pageUrl,
      firstWordMs: null,
      totalMs: null,
      model: null,
    };
    const title = known && newTitle(known, question.text);
    if (known && !(await touchConversation(app, asked.asker.owner, known.id, title))) {
      throw new AppError('not_found', 'The conversation was deleted meanwhile. Ask again.');
    }
    const { id: questionId } = await insertMessage(app, message);
    if (isClaimed(app, asked.channel)) {
      await insertClaim(app, questionId, nameOf(asked.asker.actor));
    }
    return { conversation, questionId };
  };
  return { ...asked, ...(await inTransaction(app, store, app.db.messages)) };
}

/** A conversation that began with a greeting takes its title from its first question. */
function newTitle({ title }: Conversation, question: string): string | undefined {
  const isNamed = smallTalkIn(title) === undefined || smallTalkIn(question) !== undefined;
  return isNamed ? undefined : shorten(question, titleLength);
}

async function begin(
  app: App,
  { asker, appId, channel, question }: PreparedQuestion,
): Promise<Conversation> {
  return insertConversation(app, {
    ...asker.owner,
    appId,
    channel,
    title: shorten(question.text, titleLength),
  });
}
