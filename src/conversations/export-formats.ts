import { csvRow, type Cell } from '../platform/text/csv.js';
import { safeJson } from '../platform/text/printable.js';
import { presentConversation, presentMessage } from './conversations.schema.js';
import type { Conversation, ExportFormat, ListedMessage } from './store/conversation.js';

/** Some messages of a conversation: all, unless it has very many. */
export interface ExportedPart {
  conversation: Conversation;
  /** The app's name. */
  app: string | null;
  messages: ListedMessage[];
  isFirst: boolean;
  isLast: boolean;
}

interface Format {
  /** The beginning of the file. */
  head: string;
  write: (part: ExportedPart) => string;
}

/** A column of the table: what it says of a message. */
const columns: Record<string, (message: ListedMessage, part: ExportedPart) => Cell> = {
  conversation_id: (_, { conversation }) => conversation.id,
  channel: (_, { conversation }) => conversation.channel,
  app: (_, { app }) => app,
  user_id: (_, { conversation }) => conversation.userId,
  message_id: ({ id }) => id,
  question_id: ({ questionId }) => questionId,
  created_at: ({ createdAt }) => createdAt,
  role: ({ role }) => role,
  content: ({ content }) => content,
  language: ({ language }) => language,
  page_url: ({ pageUrl }) => pageUrl,
  status: ({ status }) => status,
  mode: ({ mode }) => mode,
  found: ({ found }) => (found === null ? null : String(found)),
  withheld: ({ withheld }) => String(withheld),
  sources: ({ sources }) => sources.map(({ number, title }) => `[${number}] ${title}`).join('\n'),
  unsupported: ({ content, unsupported }) =>
    unsupported.map(({ from, to }) => content.slice(from, to)).join('\n'),
  rating: ({ feedback }) => feedback?.rating,
  comment: ({ feedback }) => feedback?.comment,
  first_word_ms: ({ made }) => made?.firstWordMs,
  total_ms: ({ made }) => made?.totalMs,
  model: ({ made }) => made?.model,
};

/**
 * The files of an export. `csv` has a row for each message. `jsonl` has a line for each conversation, in the shape of the
 * API, with its messages.
 */
export const exportFormats = {
  csv: {
    head: csvRow(Object.keys(columns)),
    write: (part) =>
      part.messages
        .map((message) => csvRow(Object.values(columns).map((cell) => cell(message, part))))
        .join(''),
  },
  jsonl: {
    head: '',
    write(part) {
      const { conversation, app, messages, isFirst, isLast } = part;
      const begin = safeJson({ ...presentConversation(conversation), app });
      const shown = messages.map((message) =>
        safeJson({ ...presentMessage(message), page_url: message.pageUrl }),
      );
      const head = isFirst ? `${begin.slice(0, -1)},"messages":[` : shown.length > 0 ? ',' : '';
      return `${head}${shown.join(',')}${isLast ? ']}\n' : ''}`;
    },
  },
} satisfies Record<ExportFormat, Format>;
