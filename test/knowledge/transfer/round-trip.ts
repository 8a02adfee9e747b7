import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { createEntry } from '../../../src/knowledge/create-entry.js';
import { updateEntry } from '../../../src/knowledge/update-entry.js';
import { findEntriesWhere } from '../../../src/knowledge/entry-lists.repository.js';
import { exportEntries } from '../../../src/knowledge/transfer/export-entries.js';
import { importEntries } from '../../../src/knowledge/transfer/import-entries.js';
import type { Imported } from '../../../src/knowledge/transfer/imported.js';
import type { EntryRecord } from '../../../src/knowledge/transfer/entry-record.js';
import { readSources, type Said } from '../../../src/knowledge/transfer/read-sources.js';
import { replaceFile } from '../../../src/platform/cli/write-text.js';
import { jsonLines, writeFolder } from '../../../src/knowledge/transfer/write-export.js';
import type { Actor } from '../../../src/platform/actor.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';

/** Texts that YAML, Markdown or the handling of line ends could misread. */
const odd = fc.oneof(
  fc.constantFrom(
    '---',
    '- a',
    'true',
    'null',
    '007',
    '1e3',
    '~',
    "it's: #1",
    '"quoted"',
    '\\',
    '@x',
  ),
  fc.constantFrom(
    '\ufeffx',
    'x\r\ny',
    '\n\n  x  \n',
    'x\n---\ny',
    '---\ntitle: y\n---',
    '\u2028x\u0085',
  ),
  fc.constantFrom('# A heading', 'x\u0007y', '{{x}}', 'ümläut 漢字 👍', '%20', '!!js/function x'),
);
const words = (longest: number) =>
  fc
    .oneof(odd, fc.string({ unit: 'grapheme', minLength: 1, maxLength: longest }))
    .filter((text) => text.trim() !== '' && !text.includes('\u0000'))
    .filter((text) => !/\p{Surrogate}/u.test(text));

const record = fc.record(
  {
    id: fc.uuid({ version: 4 }),
    title: words(40),
    content: words(200),
    domain: fc.constantFrom('own', 'unclaimed.example', null),
    url_pattern: fc.constantFrom(null, '/invoices/:id', '/docs/*', '/a%20b'),
    view: fc.constantFrom(null, '/invoices/:id', '/settings'),
    view_title: fc.constantFrom('A view', 'null'),
    status: fc.constantFrom('draft', 'published'),
    visibility: fc.constantFrom('public', 'authenticated', 'internal'),
    language: fc.constantFrom('en', 'es', 'de', 'other'),
    edited: fc.boolean(),
    was_published: fc.boolean(),
    document: fc.option(words(40)),
    source_title: fc.option(words(40)),
    source_anchors: fc.option(fc.constant('{"reset":"Reset"}')),
    page_from: fc.option(fc.integer({ min: 1, max: 999 })),
    created_at: fc.constantFrom('2024-02-29T12:00:00.000Z', '2020-01-01T00:00:00.123Z'),
  },
  { requiredKeys: ['id', 'title', 'content', 'domain'] },
);

async function* inMemory(records: readonly object[]): AsyncGenerator<Said> {
  for (const [index, one] of records.entries()) {
    yield await Promise.resolve({
      ...{ source: 'memory', line: index + 1 },
      read: () => one as EntryRecord & { id: string },
    });
  }
}

async function* nobody(): AsyncGenerator<Buffer> {}

/** Exports and imports this number of sets of generated entries. */
export function describeRoundTrip(numRuns: number): void {
  describe('An export that is imported elsewhere', () => {
    let here: TestApp;
    let there: TestApp;
    before(async () => {
      here = await openTestApp();
      there = await openTestApp();
    });
    after(async () => {
      await here.close();
      await there.close();
    });

    const importAll = async (
      test: TestApp,
      actor: Actor,
      said: AsyncIterable<Said>,
      given: { domain?: string } = {},
    ) => {
      const all: Imported[] = [];
      const options = { dryRun: false, signal: new AbortController().signal, ...given };
      for await (const one of importEntries(test.app, actor, said, options)) all.push(one);
      return all;
    };
    const exportAll = async (test: TestApp, actor: Actor) => {
      const all: (EntryRecord & { id: string })[] = [];
      for await (const one of exportEntries(test.app, actor, {})) all.push(one);
      return all;
    };
    let organizations = 0;
    const organization = async (): Promise<[TestOrganization, TestOrganization]> => {
      const name = `Acme${(organizations += 1)}`;
      return [await addOrganization(here, name), await addOrganization(there, name)];
    };

    for (const format of ['jsonl', 'markdown'] as const) {
      it(`gives the same content, and changes nothing when it is imported again (${format})`, async () => {
        const records = fc.uniqueArray(record, {
          maxLength: 6,
          minLength: 1,
          selector: (r) => r.id,
        });
        await fc.assert(
          fc.asyncProperty(records, async (drawn) => {
            const [source, target] = await organization();
            const said = drawn.map((one) => ({
              ...one,
              domain: one.domain === 'own' ? source.domain : one.domain,
              view: one.domain === 'unclaimed.example' ? null : (one.view ?? null),
            }));
            const made = await importAll(here, source.operator, inMemory(said));
            assert.deepEqual(made.map(({ error }) => error).filter(Boolean), []);
            const exported = await exportAll(here, source.operator);
            assert.deepEqual(
              exported.map(({ title, content }) => ({ title, content })),
              said.map(({ title, content }) => ({ title, content })),
            );
            const path = join(here.folder, `export-${organizations}.jsonl`);
            const stream = exportEntries(here.app, source.operator, {});
            if (format === 'jsonl') await replaceFile(path, jsonLines(stream));
            else await writeFolder(stream, path, { prune: false, ...source.operator });
            try {
              const first = await importAll(there, target.operator, readSources(path, nobody()));
              assert.deepEqual(
                first.map(({ action, error }) => ({ action, error })),
                said.map(() => ({ action: 'create', error: null })),
              );
              // Files have an order of their own; all else is the same.
              const byId = (list: EntryRecord[]) =>
                list.toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1));
              assert.deepEqual(byId(await exportAll(there, target.operator)), byId(exported));
              const second = await importAll(there, target.operator, readSources(path, nobody()));
              assert.ok(second.every(({ action }) => action === 'unchanged'));
              const { organizationId } = target.operator;
              const entries = await findEntriesWhere(there.app, { organizationId });
              assert.ok(entries.every(({ version }) => version === 1));
            } finally {
              await rm(path, { recursive: true });
            }
          }),
          { numRuns },
        );
      });
    }

    it('keeps one file for each entry in a folder that people and the program edit in turn', async () => {
      const step = fc.record({
        kind: fc.constantFrom('write', 'edit', 'move', 'retitle', 'create'),
        pick: fc.nat(20),
        below: fc.constantFrom('', 'deep', 'deep/er'),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          const [{ operator, domain }] = await organization();
          const folder = join(here.folder, `edited-${organizations}`);
          await mkdir(join(folder, 'deep', 'er'), { recursive: true });
          const files = async () =>
            (await readdir(folder, { recursive: true }))
              .filter((name) => name.endsWith('.md'))
              .sort();
          const taken = () => importAll(here, operator, readSources(folder, nobody()), { domain });
          try {
            for (const [index, { kind, pick, below }] of steps.entries()) {
              const all = await files();
              const file = all[pick % Math.max(1, all.length)];
              const exported = await exportAll(here, operator);
              const entry = exported[pick % Math.max(1, exported.length)];
              const path = join(folder, below, `by hand ${index}.md`);
              if (kind === 'write') await writeFile(path, `# Page ${index}\n\nText ${index}.\n`);
              if (kind === 'edit' && file)
                await appendFile(join(folder, file), `\nMore ${index}.\n`);
              if (kind === 'move' && file) await rename(join(folder, file), path);
              if (kind === 'create') {
                const fields = { title: `Made ${index}`, content: 'By the program.', domain };
                await createEntry(here.app, operator, fields);
              }
              if (kind === 'retitle' && entry) {
                await updateEntry(here.app, operator, entry.id, { title: `Title ${index}` });
                // No import here: edits of both sides at once would lose one of them.
              } else if (all.length > 0 || kind === 'write') {
                const imported = await taken();
                assert.deepEqual(imported.map(({ error }) => error).filter(Boolean), []);
              }
              const stream = exportEntries(here.app, operator, {});
              const { entries, stale } = await writeFolder(stream, folder, {
                prune: false,
                ...operator,
              });
              assert.deepEqual([(await files()).length, stale], [entries, 0], kind);
              if (entries > 0)
                assert.ok((await taken()).every(({ action }) => action === 'unchanged'));
            }
          } finally {
            await rm(folder, { recursive: true });
          }
        }),
        { numRuns },
      );
    });
  });
}
