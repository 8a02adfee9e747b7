import type { App } from '../platform/app.js';
import { traced } from '../platform/tracing.js';
import type { Language } from '../language/language-pack.js';
import type { SearchScope } from '../search/passages/scope.js';
import type { FoundPassage } from '../search/search-passages.js';
import type { Place } from '../search/passages/place.js';
import {
  type Answer,
  type AnsweringEvent,
  askAbout,
  courtesy,
  notFound,
  nothingOn,
} from './answer.js';
import { answerByModel } from './answer-by-model.js';
import type { AskedPage, Turn } from './question-context.js';
import { citeSources } from './cite-sources.js';
import { extractAnswer } from './extract-answer.js';
import { findRelevant, type RelevantKnowledge } from './find-relevant.js';
import { chooseLanguage, type Surroundings } from './choose-language.js';
import { askedIn } from './find-topic.js';
import { isHeading, loneNameIn, type SmallTalk } from './small-talk.js';

export interface Question {
  text: string;
  /** The rights and page of the asker, as conditions of the search. */
  scope: SearchScope;
  place: Place | undefined;
  page: AskedPage | undefined;
  /** Earlier turns, oldest first. */
  history: Turn[];
  /** The result of lookUp, if it was started earlier. */
  relevant?: Promise<RelevantKnowledge>;
  /** An opaque id of the asker, so that a person with many questions does not delay the others. */
  caller?: string;
  /** Returns suggested questions for the page; offered with small talk. */
  suggest?: (language: Language) => Promise<string[]>;
  /** Aborting ends the answer in the model's server too. */
  signal?: AbortSignal;
  /** True to send the text as it arrives; otherwise as one delta at the end. */
  streamed?: boolean;
  onEvent?: (event: AnsweringEvent) => void;
  /** Receives the units of an answer that the signal ended before it existed; the asker pays for them. */
  onSpent?: (units: number) => void;
}

/**
 * Answers from the knowledge in scope with sources, or says that the knowledge contains no answer. The model is asked
 * only when something relevant was found. The deltas of an answer join to its text. Errors: `model_unavailable` when
 * answers.mode is `ollama` and no model answers. If the model breaks off, or the signal ends it, after text was sent,
 * the answer is incomplete; before that, the signal's reason is thrown.
 */
export async function answerQuestion(app: App, question: Question): Promise<Answer> {
  let said = '';
  const say = (text: string) => {
    if (text === '') return;
    said += text;
    question.onEvent?.({ type: 'delta', text });
  };
  const answer = await makeAnswer(app, question, question.streamed === true ? say : undefined);
  if (!answer.text.startsWith(said)) throw new Error('an answer is not what was said of it');
  say(answer.text.slice(said.length));
  return answer;
}

/** Starts the search for an answer, so that its result is ready when the question has been stored. */
export function lookUp(
  app: App,
  question: Pick<Question, 'text' | 'scope' | 'place' | 'page' | 'history'>,
): Promise<RelevantKnowledge> {
  // Caches the status, and never rejects.
  if (app.config.answers.mode !== 'extractive') void app.models.status();
  return traced(app, 'search', async (span) => {
    const relevant = await findRelevant(app, question);
    span.set({ 'assistant.passages': relevant.passages.length });
    return relevant;
  });
}

async function makeAnswer(
  app: App,
  question: Question,
  say: ((text: string) => void) | undefined,
): Promise<Answer> {
  const settings = app.config.answers;
  const relevant = await (question.relevant ?? lookUp(app, question));
  const { language, talk } = relevant;
  question.signal?.throwIfAborted();
  const asked = talk === undefined ? relevant.passages : answering(question.text, talk, relevant);
  if (talk !== undefined && asked.length === 0) {
    const spoken = languageOf(talk, language, question);
    return courtesy(talk, spoken, (await question.suggest?.(spoken)) ?? []);
  }
  if (asked.length === 0) {
    const name = loneNameIn(question.text);
    if (name === undefined) return notFound(language);
    // A name has no language.
    const spoken = ownLanguage(question);
    return askAbout(name, spoken, (await question.suggest?.(spoken)) ?? []);
  }
  const passages = asked.slice(0, settings.max_passages);
  const quoted = extractAnswer(relevant, passages, settings.max_sentences);
  const answered =
    settings.mode === 'extractive'
      ? undefined
      : await answerByModel(app, { ...question, language, passages, quoted, say });
  if (answered !== undefined && 'text' in answered) {
    return { ...answered, read: passages.map(({ entryId }) => entryId) };
  }
  if (quoted.cited.length === 0) return { ...notFound(language), ...answered };
  const unanswered = relevant.unanswered.map((one) => `\n\n${nothingOn(one, language)}`);
  const text = quoted.text + unanswered.join('');
  return {
    text,
    language,
    found: true,
    mode: 'extractive',
    complete: true,
    units: 1,
    sources: await citeSources(app, quoted.cited, quoted.quotes),
    // Every quoted sentence occurs verbatim in the knowledge.
    unsupported: [],
    read: quoted.cited.map(({ entryId }) => entryId),
    ...answered,
  };
}

/**
 * The passages that answer even small talk: an entry with the message as its heading ("What can you do?"). A word that
 * may be a name or a subject also matches passages that contain it.
 */
function answering(
  message: string,
  { sure }: SmallTalk,
  { judged, passages }: RelevantKnowledge,
): FoundPassage[] {
  const headed = passages.filter((passage) => isHeading(passage, askedIn(message)));
  if (headed.length > 0 || sure) return headed;
  const isWorded = judged.some(({ needed, likelihood }) => needed > 0 && likelihood >= needed);
  return isWorded ? passages : [];
}

/** The language of small talk: one in which the phrase exists ("hi" is also Catalan). */
function languageOf({ sure, meant }: SmallTalk, told: Language, around: Surroundings): Language {
  const language = sure ? told : chooseLanguage(meant, around);
  return language === 'other' ? ownLanguage(around) : language;
}

function ownLanguage(around: Surroundings): Language {
  return chooseLanguage('', around);
}
