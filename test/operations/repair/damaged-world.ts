import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { insertBatches } from '../../../src/ingestion/batches/batches.repository.js';
import { addEntries } from '../../../src/knowledge/store-entries.js';
import { openApp } from '../../../src/main/open-app.js';
import { examine } from '../../../src/operations/examine.js';
import type { Config } from '../../../src/platform/config/schema.js';
import { inTransaction } from '../../../src/platform/db/in-transaction.js';
import { openSqlite } from '../../../src/platform/db/open-sqlite.js';
import { embedDuePassages } from '../../../src/search/vectors/embed-due-passages.js';
import { meaningOf } from '../../support/ollama-stand-in-embeddings.js';
import { startOllamaStandIn } from '../../support/ollama-stand-in.js';
import { askInPublic } from '../../support/ask-in-public.js';
import { entryFields } from '../../support/stored-entry.js';
import { addOrganization, openTestApp, type TestOrganization } from '../../support/test-app.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

const questions = ['What does fact 40 say?', 'How long does the pump of part 77 run?'];

/** A database with knowledge, vectors, a conversation and files. It is made once, and each test damages a copy. */
export class DamagedWorld {
  #whole: Buffer = Buffer.alloc(0);
  #acme: TestOrganization | undefined;
  #config: Config | undefined;
  #answers: string[] = [];

  async build(): Promise<void> {
    const ollama = await startOllamaStandIn({
      models: ['all-minilm:latest'],
      embed: meaningOf({ dimension: 16 }),
    });
    const test = await openTestApp({
      ollama: { url: ollama.url, embedding_model: 'all-minilm', embedding_batch: 64 },
    });
    try {
      const acme = (this.#acme = await addOrganization(test));
      const globex = await addOrganization(test, 'Globex');
      const side = await addOrganization(test, 'Side');
      const facts = Array.from({ length: 80 }, (_, index) =>
        entryFields(acme, { title: `Fact ${index}`, content: `Fact ${index} says ${index * 7}.` }),
      );
      const parts = Array.from({ length: 120 }, (_, part) => {
        return `The pump of part ${part} runs for ${part * 3} minutes before it has to rest again.`;
      });
      const long = entryFields(acme, { title: 'A long text', content: parts.join(' ') });
      const others = [globex, side].map((one) =>
        entryFields(one, { title: 'Elsewhere', content: 'Other people wrote this.' }),
      );
      const inSideApp = { organizationId: acme.operator.organizationId };
      await inTransaction(test.app, async (app) => {
        await addEntries(app, [...facts, long, ...others]);
        await addEntries(app, [
          { ...entryFields(side, { title: 'Aside', content: 'An aside.' }), ...inSideApp },
        ]);
        for (const id of ['waiting', 'read']) {
          const bytes = Buffer.from(`%PDF-1.4 ${'x'.repeat(3 << 20)}`);
          const batch = { ...acme, organizationId: acme.operator.organizationId, id };
          const file = { fileName: `${id}.pdf`, fileSha256: id, source: null, folder: null };
          const origin = {
            kind: 'pdf' as const,
            sourceUrl: null,
            visibility: null,
            sourcePath: null,
            createdBy: 'operator',
            lease: undefined,
          };
          await insertBatches(app, [{ ...batch, ...file, ...origin, bytes }]);
        }
      });
      await test.app.db
        .write('ingestion_batches')
        .where({ id: 'read' })
        .update({ status: 'completed' });
      await addConversation(test.app.db.write, acme.operator.organizationId);
      await embedDuePassages(test.app);
      this.#config = test.app.config;
      this.#answers = await this.#ask(test.app.config);
      await test.app.db.write.raw('pragma wal_checkpoint(truncate)');
      this.#whole = await readFile(test.app.config.database.path);
    } finally {
      await test.close();
      await ollama.stop();
    }
  }

  /** Runs `work` on a damaged copy. */
  async withDamaged(
    harms: readonly ((db: Knex) => Promise<unknown>)[],
    work: (config: Config) => Promise<void>,
  ): Promise<void> {
    const folder = await makeTemporaryFolder();
    try {
      const path = join(folder.path, 'test.sqlite');
      await writeFile(path, this.#whole);
      if (this.#config === undefined) throw new Error('build the world first');
      const hand = openSqlite(path, 1, ['pragma foreign_keys = off']);
      try {
        for (const harm of harms) await harm(hand);
      } finally {
        await hand.destroy();
      }
      await work({ ...this.#config, database: { ...this.#config.database, path } });
    } finally {
      await folder.remove();
    }
  }

  /** The problems that `assistant doctor` finds in the contents, by the name of the check. */
  async findings(config: Config): Promise<Map<string, string>> {
    const checks = await examine(config, undefined, { quick: false });
    const ofContents = new Set(
      'database,migrations,contents,indexes,references,state,leases,files,passages,search index,stored vectors,counters'.split(
        ',',
      ),
    );
    const bad = checks.filter(({ name, status }) => ofContents.has(name) && status !== 'ok');
    return new Map(bad.map(({ name, finding }) => [name, finding]));
  }

  /** Whether every question gets the same answer as before the damage. */
  async answersAsBefore(config: Config): Promise<boolean> {
    return (await this.#ask(config)).join('\n') === this.#answers.join('\n');
  }

  async #ask(config: Config): Promise<string[]> {
    const app = await openApp({ ...config, answers: { ...config.answers, mode: 'extractive' } });
    try {
      const answers: string[] = [];
      for (const question of questions) {
        if (this.#acme === undefined) throw new Error('build the world first');
        const answer = await askInPublic({ app }, this.#acme, question);
        answers.push(`${answer.found} ${answer.text}`);
      }
      return answers;
    } finally {
      await app.close();
    }
  }
}

async function addConversation(db: Knex, organizationId: number): Promise<void> {
  const now = '2026-01-01T00:00:00.000Z';
  const times = { created_at: now, updated_at: now };
  await db('conversations').insert({
    ...{ id: 'talk', organization_id: organizationId, channel: 'api', title: 'T', ...times },
  });
  await db('messages').insert({
    ...{ conversation_id: 'talk', role: 'user', content: 'A question of a person' },
    ...{ status: 'complete', language: 'en', created_at: now },
  });
}
