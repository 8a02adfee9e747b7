import type { Config } from '../../../src/platform/config/schema.js';
import { pino } from 'pino';
import { visibilities, type Visibility } from '../../../src/platform/actor.js';
import { searchPassages, type FoundPassage } from '../../../src/search/search-passages.js';
import { describeVectors } from '../../../src/search/vectors/describe-vectors.js';
import { meaningOf } from '../../support/ollama-stand-in-embeddings.js';
import { startOllamaStandIn, type OllamaStandIn } from '../../support/ollama-stand-in.js';
import { storeEntry } from '../../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';
import { createTestClock, type TestClock } from '../../support/test-clock.js';

/** An installation whose embedding model is a stand-in's, with an organization. Opened and closed around each test. */
export interface EmbeddedApp {
  test: TestApp;
  ollama: OllamaStandIn;
  acme: TestOrganization;
  clock: TestClock;
  /** Lines of the log, level and text. */
  logged: string[];
  /** The same database with other settings. */
  reopen(ollama: Partial<Config['ollama']>): Promise<void>;
  find(
    text: string,
    scope?: { organization?: TestOrganization; appId?: number; tiers?: Visibility[] },
  ): Promise<FoundPassage[]>;
  /** Titles of those that vectors found, nearest first. */
  near(text: string, scope?: Parameters<EmbeddedApp['find']>[1]): Promise<string[]>;
  /** Of the generations: `state model dimension embedded/passages`. */
  generations(): Promise<string[]>;
  store(title: string, content: string, fields?: object): Promise<{ id: number; uuid: string }>;
}

export const models = ['all-minilm:latest', 'nomic-embed-text:latest', 'bge-m3:latest'];

export function embeddedApp(): EmbeddedApp {
  const it = { logged: [] } as unknown as EmbeddedApp;
  const write = (line: string) => it.logged.push((JSON.parse(line) as { msg: string }).msg);
  const log = pino({ level: 'warn' }, { write });
  it.reopen = async (ollama) => {
    const opened = it.test;
    const { config } = opened.app;
    await opened.app.close();
    const changed = { ...config, ollama: { ...config.ollama, ...ollama } };
    const app = await opened.openAnother({ config: changed, clock: it.clock, log });
    it.test = {
      ...opened,
      app,
      async close() {
        await app.close();
        await opened.close();
      },
    };
  };
  it.find = async (text, { organization = it.acme, appId, tiers = [...visibilities] } = {}) => {
    const { organizationId } = organization.operator;
    const scope = { organizationId, appId: appId ?? organization.appId, tiers };
    return (await searchPassages(it.test.app, { text, scope, limit: 20 })).passages;
  };
  it.near = async (text, scope) =>
    (await it.find(text, scope))
      .filter(({ parts }) => parts.vectorRank !== null)
      .sort((a, b) => (a.parts.vectorRank ?? 0) - (b.parts.vectorRank ?? 0))
      .map(({ title }) => title);
  it.generations = async () => {
    const { generations } = await describeVectors(it.test.app);
    return generations.map(
      ({ state, model, dimension, embedded, passages }) =>
        `${state} ${model} ${dimension} ${embedded}/${passages}`,
    );
  };
  it.store = (title, content, fields = {}) =>
    storeEntry(it.test, it.acme, { title, content, ...fields });
  beforeEach(async () => {
    it.logged.length = 0;
    it.clock = createTestClock();
    it.ollama = await startOllamaStandIn({
      models: [...models],
      embed: meaningOf({ dimension: 64 }),
    });
    const settings = {
      ollama: { url: it.ollama.url, embedding_model: 'all-minilm', embedding_batch: 4 },
    };
    it.test = await openTestApp(settings, it.clock, log);
    it.acme = await addOrganization(it.test);
  });
  afterEach(async () => {
    await it.test.close();
    await it.ollama.stop();
  });
  return it;
}
