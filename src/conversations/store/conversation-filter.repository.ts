import type { Knex } from 'knex';
import type { AnswerMode } from '../../answers/answer.js';
import type { Language } from '../../language/language-pack.js';
import type { WithDb } from '../../platform/app.js';
import type { Channel } from '../../usage/payer.js';
import type { Rating } from './conversation.js';
import { isFirstReply, isUnsupported, type Handed } from './counted.repository.js';

/** Conditions of a list; all must match. */
export interface ConversationFilter {
  channel?: Channel | undefined;
  appId?: number | undefined;
  /** A user's conversations under any credential, including those of linked identities. */
  userId?: number | undefined;
  /** True: with an answer from the knowledge. False: with an answer that found none. */
  found?: boolean | undefined;
  rating?: Rating | undefined;
  /** True: with a comment of the asker on an answer. With a rating, on an answer of this rating. */
  commented?: true | undefined;
  /** True: with an answer that broke off. */
  incomplete?: true | undefined;
  /** With a message that contains all of these words. */
  q?: string | undefined;
  /** Without conversations of the command line, as figures count. */
  withoutCli?: boolean | undefined;
  /** With a reply to a question at these times. The other conditions on replies then are of these replies. */
  replied?: { first: string; next: string } | undefined;
  /** The language of a reply. */
  language?: Language | undefined;
  /** True: with a sentence that no cited source bears out. */
  unsupported?: true | undefined;
  /** The origin of a reply. */
  mode?: AnswerMode | undefined;
  /** With a reply that took at least this many milliseconds. */
  slowerMs?: number | undefined;
  /** How it ended: without a person, or handed over to one. The first reply to a question then is at these times. */
  outcome?: { is: 'settled' | 'handed'; of: Handed } | undefined;
}

/** True when only few conversations fit a filter, so that finding all of them first takes least. */
export const isRare = ({ rating, commented, incomplete, userId }: ConversationFilter) =>
  rating === 'down' || commented === true || incomplete === true || userId !== undefined;

/**
 * Queries of the replies that a filter wants: a conversation needs one of each. Those that few conversations have are
 * found first, by their own indexes; the others are looked for in each conversation. `isEach`: so are all.
 */
export function repliesWanted(app: WithDb, filter: ConversationFilter, isEach: boolean) {
  const { commented, incomplete } = filter;
  const { found, rating, replied, language, unsupported, mode, slowerMs, outcome } = filter;
  const replies: Knex.QueryBuilder = app.db.read('messages');
  const ofReplies = [replied, language, mode, slowerMs].some((one) => one !== undefined);
  if (ofReplies) void replies.whereNotNull('found');
  if (replied !== undefined) {
    void replies.where('messages.created_at', '>=', replied.first);
    void replies.where('messages.created_at', '<', replied.next);
  }
  if (language !== undefined) void replies.where({ 'messages.language': language });
  if (mode !== undefined) void replies.where({ mode });
  if (slowerMs !== undefined) void replies.where('total_ms', '>=', slowerMs);
  const rated = app.db.read('message_feedback').select('message_id');
  if (rating !== undefined) void rated.where({ rating });
  if (commented === true) void rated.whereNotNull('comment');
  const isRated = rating === 'down' || commented === true;
  const isAmong = rated.clone().whereRaw('message_id = messages.id');
  const rare = [
    ...(isRated && !isEach ? [replies.clone().whereIn('messages.id', rated)] : []),
    // As a literal: the index holds no others.
    ...(incomplete === true ? [replies.clone().whereRaw("messages.status = 'incomplete'")] : []),
  ];
  const frequent = [
    ...(found === undefined ? [] : [replies.clone().where({ found })]),
    ...(unsupported === undefined ? [] : [replies.clone().whereRaw(isUnsupported)]),
    ...((rating === 'up' && !isRated) || (isRated && isEach)
      ? [replies.clone().whereExists(isAmong)]
      : []),
    ...(outcome === undefined || !ofReplies ? [] : [replies.clone().whereRaw(isFirstReply)]),
  ];
  if (ofReplies && rare.length + frequent.length === 0) frequent.push(replies);
  return isEach ? { rare: [], frequent: [...rare, ...frequent] } : { rare, frequent };
}
