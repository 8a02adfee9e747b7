import type { ChatMessage } from '../platform/models/chat-stream.js';
import { AppError } from '../platform/errors.js';
import type { FoundPassage } from '../search/search-passages.js';
import { fenceUntrusted } from '../platform/text/fence-untrusted.js';
import { withoutFootnoteSigns } from '../platform/text/footnotes.js';
import type { AskedPage, Turn } from './question-context.js';

export interface PromptParts {
  /** The text of templates/prompts/answer.txt; never shortened. */
  instructions: string;
  question: string;
  languageName: string;
  passages: FoundPassage[];
  history: Turn[];
  page: AskedPage | undefined;
}

/** The size of the model's window, including the answer. */
export interface Window {
  tokens: number;
  /** Characters per token: an estimate on the safe side. */
  charactersPerToken: number;
  /** The maximum length of the answer in tokens, if half of the window is as much. */
  answerTokens: number;
}

/** With fewer characters of knowledge, asking a model makes no sense. */
const shortestPassage = 400;
/** The most characters of the page, and its share of the room. */
const longestPage = 3000;
const shareOfPage = 0.2;

export function answerTokensIn(window: Window): number {
  return Math.min(window.answerTokens, Math.floor(window.tokens / 2));
}

/**
 * Builds the model's messages within its window. To fit, the history is shortened first, then the least relevant
 * passages, but never the instructions or the question. `passages` are those in the prompt, [1] first. Errors:
 * `model_unavailable` for a question that leaves no room for knowledge.
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
    const message = `The question is too long for the model's window of ${window.tokens} tokens. Shorten it, or raise ollama.num_ctx.`;
    throw new AppError('model_unavailable', message);
  }
  const passages: FoundPassage[] = [];
  for (const passage of parts.passages) {
    const size = block(passage, passages.length + 1).length;
    if (size > left) {
      // The best passage alone may exceed the window. Then its beginning is used.
      if (passages.length === 0) passages.push(cutTo(passage, left));
      left = 0;
      break;
    }
    passages.push(passage);
    left -= size;
  }
  const history: Turn[] = [];
  for (const exchange of exchangesIn(parts.history).toReversed()) {
    const size = exchange.reduce((sum, { content }) => sum + content.length, 0);
    if (size > left) break;
    history.unshift(...exchange);
    left -= size;
  }
  const messages: ChatMessage[] = [
    { role: 'system', content: parts.instructions.replaceAll('{language}', parts.languageName) },
    ...history,
    { role: 'user', content: userMessage(parts.question, page, passages) },
  ];
  return { messages, passages };
}

/**
 * Pairs of question and answer. Unanswered questions are left out, as are answers whose question is older than the
 * history: some models' templates refuse turns that do not alternate.
 */
function exchangesIn(turns: Turn[]): Turn[][] {
  return turns.flatMap((turn, index) => {
    const answer = turns[index + 1];
    if (turn.role !== 'user' || answer?.role !== 'assistant') return [];
    const exchange = [turn, answer];
    if (exchange.some(({ content }) => content.trim() === '')) return [];
    return [exchange.map(({ role, content }) => ({ role, content: fenceUntrusted(content) }))];
  });
}

function userMessage(question: string, page: string, passages: FoundPassage[]): string {
  return [
    '<knowledge>',
    ...passages.map((passage, index) => block(passage, index + 1)),
    '</knowledge>',
    ...(page === '' ? [] : [page]),
    `<question>${fenceUntrusted(question)}</question>`,
  ].join('\n');
}

/** The asker's page in at most `most` characters. Selected text comes before the headings. */
function pageBlock(page: AskedPage | undefined, most: number): string {
  if (page?.url === undefined) return '';
  const { title, url, selectedText = '', headings = [] } = page;
  const parts = [
    `${title.slice(0, 300)} (${url.slice(0, 500)})`,
    ...(selectedText === '' ? [] : [`Marked by the reader: ${selectedText}`]),
    ...(headings.length === 0 ? [] : [`Headings: ${headings.join(' | ')}`]),
  ];
  return `<page>${fenceUntrusted(parts.join('\n').slice(0, Math.max(0, most)))}</page>`;
}

function block(passage: FoundPassage, number: number): string {
  return `<passage number="${number}" title=${JSON.stringify(fenceUntrusted(passage.title))}>\n${fenceUntrusted(withoutFootnoteSigns(passage.body))}\n</passage>`;
}

function cutTo(passage: FoundPassage, length: number): FoundPassage {
  const around = block({ ...passage, body: '' }, 1).length;
  return { ...passage, body: passage.body.slice(0, Math.max(0, length - around)) };
}
