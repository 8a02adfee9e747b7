import { randomUUID } from 'node:crypto';
import type { App } from '../../src/platform/app.js';

/** One question with its reply, as rows. */
export interface StoredTalk {
  organizationId: number;
  appId?: number | null;
  channel?: string;
  /** When the reply was stored, ISO 8601 in UTC. */
  at: string;
  question?: string;
  language?: string;
  /** Null for small talk. */
  found?: boolean | null;
  unsupported?: boolean;
  rating?: 'up' | 'down' | undefined;
  mode?: string;
  firstWordMs?: number | null;
  totalMs?: number | null;
  /** An existing conversation. Default: a new one. */
  conversationId?: string;
  visitorId?: string;
  userId?: number;
  pageUrl?: string;
}

/** Stores a question and its reply with a given time in a conversation, without asking a model. */
export async function storeTalk(
  { db }: Pick<App, 'db'>,
  talk: StoredTalk,
): Promise<{ conversationId: string; questionId: number; replyId: number }> {
  const { at, language = 'en', found = true, question = 'How?' } = talk;
  const id = talk.conversationId ?? randomUUID();
  if (talk.conversationId === undefined) {
    await db.write('conversations').insert({
      ...{ id, organization_id: talk.organizationId, app_id: talk.appId ?? null },
      ...{ channel: talk.channel ?? 'widget', title: question, created_at: at, updated_at: at },
      ...{ visitor_id: talk.visitorId ?? null, user_id: talk.userId ?? null },
    });
  } else {
    const later = db.write('conversations').where({ id }).where('updated_at', '<', at);
    await later.update({ updated_at: at });
  }
  const common = { conversation_id: id, status: 'complete', language, created_at: at };
  const store = async (row: object) => {
    const [stored]: { id: number }[] = await db.write('messages').insert(row).returning('id');
    return stored?.id ?? 0;
  };
  const asked = { role: 'user', content: question, page_url: talk.pageUrl ?? null };
  const questionId = await store({ ...common, ...asked });
  const replyId = await store({
    ...{ ...common, role: 'assistant', content: 'So.', found },
    ...{ mode: talk.mode ?? 'extractive', total_ms: talk.totalMs ?? null },
    first_word_ms: talk.firstWordMs ?? null,
    ...{ unsupported: talk.unsupported === true ? '[{"from":0,"to":3}]' : '[]' },
    question_id: questionId,
  });
  if (talk.rating !== undefined) {
    await db.write('message_feedback').insert({
      ...{ message_id: replyId, rating: talk.rating, created_at: at, updated_at: at },
    });
  }
  return { conversationId: id, questionId, replyId };
}
