import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '../platform/config/schema.js';
import { openDatabase } from '../platform/db/open-database.js';
import type { OllamaClient } from '../platform/models/ollama-client.js';
import { connectCalls } from '../platform/workers/calls.js';
import { matchAllWords } from './ranking/match-all-words.js';
import { searchPassages, type SearchInput, type Searching } from './search-passages.js';
import { limitLists } from './term-index/index-cache.js';

/* The program of a server's thread for searches. It has its own connections to the database, and the only index. */

/** What the server does for the thread. */
export type FunctionsOfServer = Pick<OllamaClient, 'embed'> & Pick<Searching['log'], 'warn'>;
export type FunctionsOfThread = ReturnType<typeof functionsWith>;

function functionsWith(app: Searching) {
  return {
    searchPassages: (input: SearchInput) => explained(app, searchPassages(app, input)),
    matchAllWords: (...[organizationId, tiers, text]: WordsAsked) =>
      explained(app, matchAllWords(app, organizationId, tiers, text)),
    close: () => app.db.close(),
  };
}

type WordsAsked = Parameters<typeof matchAllWords> extends [unknown, ...infer R] ? R : never;

/** A copied error of the database lacks what `troubleOf` needs. */
async function explained<T>({ db }: Searching, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw db.dialect.troubleOf(error) ?? error;
  }
}

if (parentPort !== null) {
  const config = workerData as Config;
  const app: Searching = {
    config,
    db: await openDatabase(config.database),
    models: { embed: (request) => server.call('embed', request) },
    log: { warn: (facts, text) => void server.call('warn', facts, text) },
    questionEmbedding: { late: 0, complaint: undefined },
  };
  limitLists(app, config.search.term_memory_mb * 2 ** 20);
  const server = connectCalls<FunctionsOfServer>(parentPort, functionsWith(app));
}
