import type { ChatMessage } from '../platform/models/chat-stream.js';
import { AppError } from '../platform/errors.js';
import type { FoundPassage } from '../retrieval/search-passages.js';
import type { AskedPage } from './find-relevant.js';

/** An earlier turn of the conversation. */
export interface Turn {
  role: 'user' | 'assistant';
  content: string;
}

export interface PromptParts {
  /** templates/prompts/answer.txt: never shortened. */
  instructions: string;
  question: string;
  languageName: string;
  passages: FoundPassage[];
  history: Turn[];
  page: AskedPage | undefined;
}

/** What a model can take in, the answer included. */
export interface Window {
  tokens: number;
  /** How many characters of a text make a token: an estimate on the safe side. */
  charactersPerToken: number;
}

/** Characters of knowledge without which asking a model makes no sense. */
const shortestPassage = 400;
const longestAnswer = 1024;
/** Characters of the page at most, and its share of the room. */
const longestPage = 3000;
const shareOfPage = 0.2;

/** Tokens of the window that are kept for the answer. */
export function answerTokensIn(window: Window): number {
  return Math.min(longestAnswer, Math.floor(window.tokens / 2));
}

/**
 * The messages for the model, within its window: history goes first, then the least relevant passages; the
 * instructions and the question never. `passages` are those that stand in the prompt, [1] first. Refuses with
 * `model_unavailable` a question that leaves no room for knowledge.
 */
export function buildPrompt(
  parts: PromptParts,
  window: Window,
): { messages: ChatMessage[]; passages: FoundPassage[] } {
  const budget = Math.floor((window.tokens - answerTokensIn(window)) * window.charactersPerToken);
  const fixed = parts.instructions.length + parts.question.length + 400;
  const page = pageBlock(parts.page, Math.min(longestPage, (budget - fixed) * shareOfPage));
  let left = budget - fixed - page.length;
  if (left < shortestPassage) {
    const message = `The question is too long for the model's window of ${window.tokens} tokens. Ask it shorter, or raise ollama.num_ctx.`;
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
  // A conversation begins with a question: some models refuse one that does not.
  if (history[0]?.role === 'assistant') history.shift();
  const messages: ChatMessage[] = [
    { role: 'system', content: parts.instructions.replaceAll('{language}', parts.languageName) },
    ...history,
    { role: 'user', content: userMessage(parts.question, page, passages) },
  ];
  return { messages, passages };
}

function userMessage(question: string, page: string, passages: FoundPassage[]): string {
  return [
    '<knowledge>',
    ...passages.map((passage, index) => block(passage, index + 1)),
    '</knowledge>',
    ...(page === '' ? [] : [page]),
    `<question>${fenced(question)}</question>`,
  ].join('\n');
}

/** The page that the asker looks at, in at most so many characters; what is marked there before the headings. */
function pageBlock(page: AskedPage | undefined, most: number): string {
  if (page === undefined) return '';
  const { title, url, selectedText = '', headings = [] } = page;
  const parts = [
    `${title.slice(0, 300)} (${url.slice(0, 500)})`,
    ...(selectedText === '' ? [] : [`Marked by the reader: ${selectedText}`]),
    ...(headings.length === 0 ? [] : [`Headings: ${headings.join(' | ')}`]),
  ];
  return `<page>${fenced(parts.join('\n').slice(0, Math.max(0, most)))}</page>`;
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
