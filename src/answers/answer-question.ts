import type { App } from '../platform/app.js';
import { AppError, codeOf, messageOf } from '../platform/errors.js';
import { whyNotReady } from '../platform/models/why-not-ready.js';
import { detectLanguage, type Language } from '../platform/text/languages.js';
import { findEntriesById } from '../knowledge/entries.repository.js';
import type { SearchScope } from '../retrieval/passages.repository.js';
import type { FoundPassage, Place } from '../retrieval/search-passages.js';
import type { Answer, AnswerMode, Source } from './answer.js';
import { askModel } from './ask-model.js';
import type { PageContext, Turn } from './build-prompt.js';
import { extractAnswer } from './extract-answer.js';
import { findRelevant } from './find-relevant.js';
import { phrasesIn } from './phrases.js';
import { verifyCitations } from './verify-citations.js';

export interface Question {
  text: string;
  /** Whose rights and whose page: the conditions of the search. */
  scope: SearchScope;
  place: Place | undefined;
  page: PageContext | undefined;
  /** Earlier turns, oldest first. */
  history: Turn[];
  signal?: AbortSignal;
  /** Whether the text is passed on as it comes; else as one delta, at the end. */
  streamed?: boolean;
  onEvent?: (event: AnsweringEvent) => void;
}

export type AnsweringEvent =
  { type: 'waiting'; for: 'queue' | 'model' } | { type: 'delta'; text: string };

/**
 * Answers from the knowledge in scope, with sources, or says honestly that it holds none; a model is asked
 * only when something relevant was found. Refuses with `model_unavailable` where answers.mode is `ollama`
 * and no model answers.
 */
export async function answerQuestion(app: App, question: Question): Promise<Answer> {
  const answer = await makeAnswer(app, question);
  question.onEvent?.({ type: 'delta', text: answer.text });
  return answer;
}

async function makeAnswer(app: App, question: Question): Promise<Answer> {
  const settings = app.config.answers;
  const language = detectLanguage(question.text);
  const relevant = await findRelevant(app, question);
  if (relevant.passages.length === 0) return notFound(language);
  const passages = relevant.passages.slice(0, settings.max_passages);

  if (settings.mode !== 'extractive') {
    const answered = await fromModel(app, question, language, passages);
    if (answered !== undefined) return answered;
  }
  const extracted = extractAnswer(relevant.terms, passages, settings.max_sentences);
  if (extracted.cited.length === 0) return notFound(language);
  const sources = await sourcesOf(app, extracted.cited);
  const { text } = extracted;
  return { text, language, found: true, mode: 'extractive', sources, complete: true, units: 1 };
}

const excerptLength = 240;
/** What the model is told to reply when the knowledge does not hold the answer. */
const notFoundMark = 'NOT_FOUND';

/**
 * The model's answer with citations that hold. Undefined when `auto` is to quote instead: no model answers,
 * it failed, or it answered without citing anything that it was given.
 */
async function fromModel(
  app: App,
  question: Question,
  language: Language,
  passages: FoundPassage[],
): Promise<Answer | undefined> {
  const strict = app.config.answers.mode === 'ollama';
  try {
    const reason = await whyNotReady(app.models, app.config.ollama);
    if (reason !== undefined) throw new AppError('model_unavailable', reason);
    const reply = await askModel(app, { ...question, language, passages });
    if (reply.text.includes(notFoundMark)) return notFound(language, reply.units, 'ollama');
    const { text, cited } = verifyCitations(reply.text, reply.passages.length);
    if (cited.length === 0 && !reply.complete) {
      throw new AppError('model_unavailable', 'The model broke off in its answer. Ask again.');
    }
    if (cited.length === 0) return undefined;
    const sources = await sourcesOf(
      app,
      cited.flatMap((number) => reply.passages[number - 1] ?? []),
    );
    const { complete, units } = reply;
    return { text, language, found: true, mode: 'ollama', sources, complete, units };
  } catch (error) {
    if (strict || codeOf(error) !== 'model_unavailable') throw error;
    app.log.info(
      { reason: messageOf(error) },
      'the model gave no answer; knowledge is quoted instead',
    );
    return undefined;
  }
}

function notFound(language: Language, units = 1, mode: AnswerMode = 'extractive'): Answer {
  const text = phrasesIn(language).notFound;
  return { text, language, found: false, mode, sources: [], complete: true, units };
}

async function sourcesOf(app: App, cited: FoundPassage[]): Promise<Source[]> {
  const entries = await findEntriesById(
    app,
    cited.map((passage) => passage.entryId),
  );
  return cited.map((passage, index) => {
    // Headings are in the title already.
    const text = passage.body
      .replaceAll(/^#{1,6}\s.*$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return {
      number: index + 1,
      entryUuid: entries.find((entry) => entry.id === passage.entryId)?.uuid ?? '',
      title: passage.title,
      urlPattern: passage.urlPattern,
      excerpt: text.length > excerptLength ? `${text.slice(0, excerptLength).trimEnd()}…` : text,
      pageFrom: passage.pageFrom,
      pageTo: passage.pageTo,
    };
  });
}
