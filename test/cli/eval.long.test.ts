import assert from 'node:assert/strict';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkDetailsFile } from '../../src/evaluation/details-file.js';
import { openApp } from '../../src/main/open-app.js';
import { configSchema } from '../../src/platform/config/schema.js';
import { fileRequest } from '../../src/requests/file-request.js';
import { nameOfEndedProcess } from '../support/ended-process.js';
import { hosted, makeInitialized, type TestInstallation } from '../support/run-cli.js';

const questions = [
  {
    question: 'How often is the filter cleaned?',
    answers: ['30 days'],
    expected_entry: 'Cleaning the filter',
  },
  { question: '¿Cuál es la capital de Francia?', unanswerable: true },
];

interface Report {
  measures: Record<string, number | null>;
  languages: Record<string, Record<string, number | null>>;
  failed_gates: { gate: string; value: number | null }[];
}

const locksAmong = (names: string[]) => names.filter((name) => name.includes('.lock'));

describe('assistant eval', () => {
  let installation: TestInstallation;
  const at = (name: string) => join(installation.folder, name);

  before(async () => {
    installation = hosted(await makeInitialized());
    const fields = ['--title', 'Cleaning the filter', '--domain', 'docs.acme.example'];
    const content = 'The filter keeps dust out. Clean the filter every 30 days with warm water.';
    const entry = [...fields, '--content', content, '--status', 'published'];
    const { code } = await installation.run(['knowledge', 'create', ...entry]);
    assert.equal(code, 0);
    const lines = questions.map((question) => JSON.stringify(question));
    await writeFile(at('questions.jsonl'), `${lines.join('\n')}\n`);
  });
  after(() => installation.remove());

  it('prints one document of measures, in total and per language, and writes details with --details', async () => {
    const args = ['eval', 'questions.jsonl', '--details', 'details.jsonl'];
    const report = await installation.json<Report>(args);
    assert.equal(report.measures['recall_1'], 1);
    assert.equal(report.measures['right_refusals'], 1);
    assert.equal(report.measures['failed'], 0);
    assert.deepEqual(Object.keys(report.languages), ['en', 'es']);
    const details = (await readFile(at('details.jsonl'), 'utf8')).trim().split('\n');
    const first = JSON.parse(details[0] ?? '') as Record<string, unknown>;
    assert.equal(first['holds_answer'], true);
    assert.match(String(first['response']), /every 30 days .*\[1\]/);
    assert.equal(details.length, 2);
  });

  it('never overwrites the set of questions with details, under any name', async () => {
    const set = await readFile(at('questions.jsonl'), 'utf8');
    await symlink(at('questions.jsonl'), at('linked.jsonl'));
    for (const name of ['questions.jsonl', './questions.jsonl', 'linked.jsonl']) {
      const args = ['eval', 'questions.jsonl', '--details', name];
      const { code, stderr } = await installation.run(args);
      assert.equal(code, 2);
      assert.match(stderr, /--details: .* is the set of questions itself/);
      assert.equal(await readFile(at('questions.jsonl'), 'utf8'), set);
    }
  });

  it('keeps the details of an earlier run until there are new ones', async () => {
    await writeFile(at('earlier.jsonl'), 'earlier\n');
    await checkDetailsFile(at('earlier.jsonl'), at('questions.jsonl'));
    assert.equal(await readFile(at('earlier.jsonl'), 'utf8'), 'earlier\n');
    const args = ['eval', 'questions.jsonl', '--details', 'earlier.jsonl'];
    assert.equal((await installation.run(args)).code, 0);
    assert.doesNotMatch(await readFile(at('earlier.jsonl'), 'utf8'), /earlier/);
  });

  it('exits with 0 if every gate holds, or with 1 and the failed gates', async () => {
    const held = ['--min-recall1', '1', '--min-answered', '0.9', '--max-wrong-refusals', '0'];
    const passed = await installation.run(['eval', 'questions.jsonl', ...held]);
    assert.equal(passed.code, 0, passed.stderr);
    assert.match(passed.stdout, /recall@1/);
    const missed = ['--min-mrr10', '1', '--max-p95-ms', '0'];
    const failed = await installation.run(['eval', 'questions.jsonl', ...missed]);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /Failed: --max-p95-ms 0, was \d+ ms\./);
    assert.doesNotMatch(failed.stderr, /min-mrr10/);
    const unshown = await installation.run([
      'eval',
      'questions.jsonl',
      '--retrieval-only',
      '--min-answered',
      '0.1',
    ]);
    assert.equal(unshown.code, 1);
    assert.match(unshown.stderr, /--min-answered 0\.1, and no question of the set measures it/);
  });

  it('exits with 1 if questions fail, as without a model in the mode ollama', async () => {
    const { code, stderr } = await installation.run([
      'eval',
      'questions.jsonl',
      '--mode',
      'ollama',
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /1 questions? failed\. Line 1: \S/);
  });

  it('exits with 2 for an invalid set or option, and with 3 for a missing file', async () => {
    await writeFile(at('bad.jsonl'), '{"question":"Why?"}\n{"question":"Why?","answer":"so"}\n');
    const bad = await installation.run(['eval', 'bad.jsonl']);
    assert.equal(bad.code, 2);
    assert.match(bad.stderr, /bad\.jsonl, line 2: answer: unknown key/);
    assert.equal(
      (await installation.run(['eval', 'questions.jsonl', '--min-recall5', '95'])).code,
      2,
    );
    assert.equal((await installation.run(['eval', 'questions.jsonl', '--tier', 'all'])).code, 2);
    assert.equal((await installation.run(['eval'])).code, 2);
    assert.equal((await installation.run(['eval', 'nowhere.jsonl'])).code, 3);
    assert.equal((await installation.run(['eval', '.'])).code, 2);
    await writeFile(at('wide.jsonl'), Buffer.from('\uFEFF{"question":"Why?"}\n', 'utf16le'));
    const wide = await installation.run(['eval', 'wide.jsonl']);
    assert.equal(wide.code, 2);
    assert.match(wide.stderr, /wide\.jsonl is in UTF-16\. Save it as UTF-8/);
    const details = ['--details', join('no', 'folder', 'd.jsonl')];
    assert.equal((await installation.run(['eval', 'questions.jsonl', ...details])).code, 3);
  });

  it('adds each resolved request to a set once, and keeps the other lines', async () => {
    const path = join(installation.folder, 'data', 'assistant.sqlite');
    const app = await openApp(configSchema.parse({ database: { path }, log: { level: 'silent' } }));
    try {
      const operator = { kind: 'operator', organizationId: 1 } as const;
      const url = 'https://docs.acme.example/pumps';
      await fileRequest(app, operator, { question: 'Where does the pump stand?', url });
    } finally {
      await app.close();
    }
    const add = (...words: string[]) =>
      installation.run(['eval', 'add', ...words, '--file', 'grown.jsonl']);
    await writeFile(at('grown.jsonl'), JSON.stringify(questions[1]));
    assert.equal((await add('1')).code, 4);
    const answer = ['--response', 'The pump stands in the cellar.', '--publish'];
    const resolved = await installation.run(['requests', 'resolve', '1', ...answer]);
    assert.equal(resolved.code, 0, resolved.stderr);
    assert.match((await add('1', '--dry-run')).stdout, /^\(dry run\) Added 1 to grown\.jsonl/);
    assert.equal(await readFile(at('grown.jsonl'), 'utf8'), JSON.stringify(questions[1]));
    assert.equal((await add('1')).code, 0);
    assert.match((await add('--all')).stdout, /Added 0 .*; 1 were there already/);
    const lines = (await readFile(at('grown.jsonl'), 'utf8')).split('\n');
    assert.deepEqual([lines.length, lines[0], lines[2]], [3, JSON.stringify(questions[1]), '']);
    const gate = ['eval', 'grown.jsonl', '--min-recall1', '1', '--min-citations', '1'];
    assert.equal((await installation.run(gate)).code, 0);
    assert.equal((await add()).code, 2);
    assert.equal((await add('99')).code, 3);
    assert.deepEqual(await readdir(installation.folder).then(locksAmong), [], 'no lock is left');
  });

  it('adds a request once from several processes, despite the lock of a killed one', async () => {
    const file = 'together.jsonl';
    await writeFile(at(`${file}.lock`), `host ${await nameOfEndedProcess()} a-token`);
    const all = await Promise.all(
      Array.from({ length: 4 }, () => installation.run(['eval', 'add', '1', '--file', file])),
    );
    for (const { code, stderr } of all) assert.equal(code, 0, stderr);
    const lines = (await readFile(at(file), 'utf8')).split('\n');
    assert.deepEqual([lines.length, lines[1]], [2, '']);
    assert.deepEqual(await readdir(installation.folder).then(locksAmong), []);
  });
});
