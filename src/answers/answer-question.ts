import type { App } from '../platform/app.js';
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
  /** Whose rights and whose page: the conditions of the search. */
  scope: SearchScope;
  place: Place | undefined;
  page: AskedPage | undefined;
  /** Earlier turns, oldest first. */
  history: Turn[];
  /** What lookUp gave, where that was begun before. */
  relevant?: Promise<RelevantKnowledge>;
  /** Who asks, by any name: so that one who asks much does not keep the others waiting. */
  caller?: string;
  /** What may be asked on the page: offered with small talk. */
  suggest?: (language: Language) => Promise<string[]>;
  /** Aborting it ends the answer in the model's server too. */
  signal?: AbortSignal;
  /** Whether the text is passed on as it comes; else as one delta, at the end. */
  streamed?: boolean;
  onEvent?: (event: AnsweringEvent) => void;
  /** Gets what was spent on an answer that the signal ended before there was one; the person who asked pays for it. */
  onSpent?: (units: number) => void;
}

/**
 * Answers from the knowledge in scope, with sources, or says honestly that it holds none; a model is asked
 * only when something relevant was found. The deltas of an answer are its text, joined. Refuses with
 * `model_unavailable` where answers.mode is `ollama` and no model answers. A model that breaks off, or is ended by the
 * signal, after something was passed on gives an incomplete answer; before, the signal's reason is thrown.
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

/** Begins what an answer needs and no model gives, so that it is there when the question has been stored. */
export function lookUp(
  app: App,
  question: Pick<Question, 'text' | 'scope' | 'place' | 'page' | 'history'>,
): Promise<RelevantKnowledge> {
  // Remembered for a while, and never rejected.
  if (app.config.answers.mode !== 'extractive') void app.models.status();
  return findRelevant(app, question);
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
    // Names are of no language.
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
    // Every sentence stands in the knowledge word for word.
    unsupported: [],
    read: quoted.cited.map(({ entryId }) => entryId),
    ...answered,
  };
}

/**
 * What answers small talk all the same: an entry that is headed by it ("What can you do?"); and where a word may be a
 * name or a subject, whatever holds that word.
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

/** The language of small talk: one of those that it is understood in, though "hi" is Catalan as well. */
function languageOf({ sure, meant }: SmallTalk, told: Language, around: Surroundings): Language {
  const language = sure ? told : chooseLanguage(meant, around);
  return language === 'other' ? ownLanguage(around) : language;
}

/** The language of the conversation or the page. */
function ownLanguage(around: Surroundings): Language {
  return chooseLanguage('', around);
}
