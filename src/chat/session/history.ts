import { findQuestion } from './find-question.js';
import { readConversations } from '../connection/list-conversations.js';
import { readMessages, replyOf } from './session-history.js';
import { readConversation } from './stored-conversation.js';

/** What looks at what is stored. Nobody needs it for a first question: it is loaded with the pages of the menu. */
export const history = { findQuestion, readConversation, readConversations, readMessages, replyOf };

export type History = typeof history;
export type LoadHistory = () => Promise<History>;
