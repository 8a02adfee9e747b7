import type { ChatMessage } from '../platform/models/chat-stream.js';
import { AppError } from '../platform/errors.js';
import type { FoundPassage } from '../retrieval/search-passages.js';

/** An earlier turn of the conversation. */
export interface Turn {
  role: 'user' | 'assistant';
  content: string;
}

/** The page that a question is asked on, as a client describes it. Untrusted, every word of it. */
export interface PageContext {
  url: string;
  title: string;
  selectedText?: string | undefined;
  headings?: string[] | undefined;
}

export interface PromptParts {
  /** templates/prompts/answer.txt: never shortened. */
  instructions: string;
  question: string;
  languageName: string;
  passages: FoundPassage[];
  history: Turn[];
  page: PageContext | undefined;
}

/** Characters per token that even dense text (code, CJK) seldom falls below: an estimate on the safe side. */
const charactersPerToken = 2.5;
/** Characters of knowledge without which asking a model makes no sense. */
const shortestPassage = 400;
/** Tokens of the window that are kept for the answer. */
export const answerTokens = 1024;

/**
 * The messages for the model, within its window: history goes first, then the least relevant passages; the
 * instructions and the question never. `passages` are those that stand in the prompt, [1] first. Refuses with
 * `model_unavailable` a question that leaves no room for knowledge.
 */
export function buildPrompt(
  parts: PromptParts,
  numCtx: number,
): { messages: ChatMessage[]; passages: FoundPassage[] } {
  const budget = Math.floor((numCtx - answerTokens) * charactersPerToken);
  const { page } = parts;
  const pageLength = page === undefined ? 0 : page.url.length + page.title.length;
  const fixed = parts.instructions.length + parts.question.length + pageLength + 400;
  let left = budget - fixed;
  if (left < shortestPassage) {
    const message = `The question is too long for the model's window of ${numCtx} tokens. Ask it shorter, or raise ollama.num_ctx.`;
    throw new AppError('model_unavailable', message);
  }
  const passages: FoundPassage[] = [];
  for (const passage of parts.passages) {
    const size = block(passage, passages.length + 1).length;
    if (size > left) {
      // The best one alone may be longer than the window: its beginning is given then, else nothing would be.
      if (passages.length === 0) passages.push(cutTo(passage, left));
      left = 0;
      break;
    }
    passages.push(passage);
    left -= size;
  }
  const history: Turn[] = [];
  for (const turn of parts.history.toReversed()) {
    if (turn.content.length > left) break;
    history.unshift(turn);
    left -= turn.content.length;
  }
  const messages: ChatMessage[] = [
    { role: 'system', content: parts.instructions.replaceAll('{language}', parts.languageName) },
    ...history,
    { role: 'user', content: userMessage(parts, passages) },
  ];
  return { messages, passages };
}

function userMessage(parts: PromptParts, passages: FoundPassage[]): string {
  const { page } = parts;
  return [
    '<knowledge>',
    ...passages.map((passage, index) => block(passage, index + 1)),
    '</knowledge>',
    ...(page === undefined ? [] : [`<page>${fenced(`${page.title} (${page.url})`)}</page>`]),
    `<question>${fenced(parts.question)}</question>`,
  ].join('\n');
}

function block(passage: FoundPassage, number: number): string {
  return `<passage number="${number}" title=${JSON.stringify(fenced(passage.title))}>\n${fenced(passage.body)}\n</passage>`;
}

function cutTo(passage: FoundPassage, length: number): FoundPassage {
  const around = block({ ...passage, body: '' }, 1).length;
  return { ...passage, body: passage.body.slice(0, Math.max(0, length - around)) };
}

/** Untrusted text can't close the block that it stands in. */
function fenced(text: string): string {
  return text.replaceAll(/<(\s*\/?\s*)(?=(?:knowledge|passage|page|question)\b)/gi, '‹$1');
}
