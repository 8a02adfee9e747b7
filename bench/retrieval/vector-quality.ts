import type { App } from '../../src/platform/app.js';
import { measure } from '../../src/evaluation/measures.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { readVectors } from '../../src/search/vectors/describe-vectors.js';
import { embedDuePassages } from '../../src/search/vectors/embed-due-passages.js';
import type { Row } from '../measure.js';
import {
  embedAtRandom,
  embedWords,
  loadSentenceEncoder,
  serveEmbeddings,
  type EmbeddingServer,
} from './embedding-server.js';
import { indexSets } from './indexed-sets.js';
import type { Judged } from './quality.js';
import { readSets, type QuestionSet, type SetLanguage } from './question-sets.js';

/** What vectors may cost where they do not help, and what they must bring where questions use other words. */
const bars = { cost: 0.005, gain: 0.03 };

const realModel = 'sentence-encoder-lite';

interface Corpus {
  name: string;
  sets: QuestionSet[];
  /** Each how manieth question is put. */
  every: number;
}

/**
 * What vectors change: of a real model that knows English alone, of one that knows no more than words, and of one that
 * knows nothing. Its own index for each set, and one for several languages together.
 */
export async function measureVectorQuality(
  folder: string,
  every: number,
  keep: string | undefined,
): Promise<Judged> {
  const judged: Judged = { measures: [], missed: [], details: [] };
  const rows: Row[] = [];
  const servers = [
    await serveEmbeddings(realModel, await loadSentenceEncoder(keep)),
    await serveEmbeddings('words-alone', embedWords),
    await serveEmbeddings('random', embedAtRandom),
  ];
  try {
    for (const server of servers) {
      for (const corpus of corporaIn(folder, every)) {
        for (const row of await compare(server, corpus)) {
          rows.push(row.shown);
          const name = `${server.model} on ${row.name}`;
          const change = row.withVectors - row.words;
          if (change < -bars.cost) judged.missed.push(`${name}: recall@1 ${shown(change)}`);
          const mustGain = server.model === realModel && row.name === 'faq.en';
          if (mustGain && change < bars.gain) {
            judged.missed.push(`${name}: recall@1 ${shown(change)}, wanted +${bars.gain}`);
          }
        }
      }
    }
  } finally {
    for (const server of servers) await server.stop();
  }
  judged.measures.push({
    name: 'vectors',
    about: `recall@1/recall@5 by words alone and with the vectors of a model; "of" names the index where it holds more languages; bars: recall@1 with vectors at most ${bars.cost} lower anywhere, and on faq.en, whose questions use other words, at least ${bars.gain} higher with the sentence encoder`,
    rows,
  });
  return judged;
}

function corporaIn(folder: string, every: number): Corpus[] {
  const own = `${packageRoot()}/bench/retrieval/faq`;
  const of = (set: string, language: SetLanguage) =>
    readSets(set === 'faq' ? own : folder, set, [language]);
  const one = (set: string, language: SetLanguage, each = every): Corpus => {
    return { name: `${set}.${language}`, sets: of(set, language), every: each };
  };
  const together = (set: string, languages: SetLanguage[]): Corpus => {
    return { name: set, sets: languages.flatMap((language) => of(set, language)), every };
  };
  return [
    ...[one('faq', 'en', 1), one('faq', 'de', 1), { ...together('faq', ['en', 'de']), every: 1 }],
    ...[one('xquad', 'en'), one('xquad', 'es'), one('xquad', 'de')],
    ...[together('xquad', ['en', 'es', 'de']), one('squad', 'en', 2 * every)],
  ];
}

async function compare(server: EmbeddingServer, { name, sets, every }: Corpus) {
  const index = await indexSets(sets, {
    url: server.url,
    embedding_model: server.model,
    embedding_query_timeout_ms: 600_000,
  });
  try {
    const { app } = index.test;
    await embedDuePassages(app);
    const { generations } = await readVectors(app, index.acme.operator);
    const trust = generations.find(({ state }) => state === 'live')?.trust ?? {};
    const found = [];
    for (const set of sets) {
      const questions = set.questions.filter((_, at) => at % every === 0);
      const ask = async (by: App) => {
        const results = [];
        for (const question of questions) {
          results.push(await index.ask(question, { answer: false, by }));
        }
        return measure(results);
      };
      const words = await ask(withoutVectors(app));
      const vectors = await ask(app);
      const label = sets.length > 1 ? `${set.language} of ${name}` : name;
      found.push({
        name: label,
        words: words.recall1 ?? 0,
        withVectors: vectors.recall1 ?? 0,
        shown: {
          model: server.model,
          set: label,
          questions: questions.length,
          words: `${shown(words.recall1)}/${shown(words.recall5)}`,
          'with vectors': `${shown(vectors.recall1)}/${shown(vectors.recall5)}`,
          trust: String(trust[set.language] ?? 'not estimated'),
        },
      });
    }
    return found;
  } finally {
    await index.close();
  }
}

function withoutVectors(app: App): App {
  const ollama = { ...app.config.ollama, embedding_model: '' };
  return { ...app, config: { ...app.config, ollama } };
}

function shown(value: number | null): string {
  return (value ?? 0).toFixed(3);
}
