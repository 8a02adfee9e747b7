import { askModel } from '../answers/ask-model.js';
import { detectLanguage } from '../language/detect-language.js';
import type { Language } from '../language/language-pack.js';
import { packOf } from '../language/packs.js';
import type { App } from '../platform/app.js';
import type { FoundPassage } from '../search/search-passages.js';

/** One trial question: whether its answer cites the right passage and is in the question's language. */
export interface Trial {
  language: string;
  firstWordMs: number | null;
  /** Null for an answer that came in one piece. */
  wordsPerSecond: number | null;
  cites: boolean;
  inLanguage: boolean;
}

interface Sample {
  language: Language;
  title: string;
  body: string;
  question: string;
}

const samples: readonly Sample[] = [
  {
    language: 'en',
    title: 'Opening hours',
    body: 'The service desk is open from 9:00 to 17:30 on weekdays. On Saturdays it is closed.',
    question: 'When is the service desk open?',
  },
  {
    language: 'es',
    title: 'Garantía de la bomba',
    body: 'La bomba tiene una garantía de dos años desde la fecha de compra. Guarde la factura.',
    question: '¿Cuánto tiempo dura la garantía de la bomba?',
  },
  {
    language: 'de',
    title: 'Filter reinigen',
    body: 'Der Filter wird alle vier Wochen mit warmem Wasser gereinigt. Danach muss er trocknen.',
    question: 'Wie oft muss der Filter gereinigt werden?',
  },
];

/**
 * Asks the chat model one question in each language, with the prompt of real questions and one passage in each language.
 * Rejects as askModel does.
 */
export async function askTrialQuestions(
  app: Pick<App, 'models' | 'config' | 'log'>,
  signal: AbortSignal | undefined,
): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const [index, { language, question }] of samples.entries()) {
    const began = performance.now();
    let firstAt: number | undefined;
    const reply = await askModel(app, {
      text: question,
      language,
      history: [],
      page: undefined,
      passages: samples.map(toPassage),
      onText: () => (firstAt ??= performance.now()),
      ...(signal === undefined ? {} : { signal }),
    });
    const words = reply.text.split(/\s+/).filter(Boolean).length;
    const seconds = firstAt === undefined ? 0 : (performance.now() - firstAt) / 1000;
    trials.push({
      language: packOf(language)?.name ?? language,
      firstWordMs: firstAt === undefined ? null : Math.round(firstAt - began),
      wordsPerSecond: seconds > 0 && words > 1 ? Math.round((words / seconds) * 10) / 10 : null,
      cites: reply.cited.some((number) => reply.passages[number - 1]?.id === index + 1),
      inLanguage: detectLanguage(reply.text) === language,
    });
  }
  return trials;
}

function toPassage({ title, body, language }: Sample, index: number): FoundPassage {
  const none = { wordRank: null, vector: null, vectorRank: null, standsOut: null, trust: null };
  const zero = { words: 0, grams: 0, sentence: 0, phrase: 0, window: 0, siblings: 0 };
  return {
    id: index + 1,
    entryId: index + 1,
    position: 0,
    title,
    body,
    language,
    pageFrom: null,
    pageTo: null,
    viewId: null,
    domain: null,
    urlPattern: null,
    score: 1,
    coverage: 1,
    parts: { ...none, ...zero, judged: false, language: 0, place: 0 },
  };
}
