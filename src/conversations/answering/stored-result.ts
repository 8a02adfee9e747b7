import type { Message } from '../store/conversation.js';
import type { MessageResult } from './running-answers.js';

/** A stored answer as it was when it had just been made. */
export function resultOf(reply: Message): MessageResult {
  const { id: messageId, conversationId, content: text, status, mode, found } = reply;
  const { language, sources, unsupported } = reply;
  const complete = status === 'complete';
  const how = { mode: mode ?? 'extractive', found, complete, units: 0 };
  const answer = { text, language, sources, unsupported, ...how };
  return { conversationId, messageId, answer, withheld: reply.withheld };
}
