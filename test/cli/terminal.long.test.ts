import assert from 'node:assert/strict';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { openPseudoTerminal, type PseudoTerminal } from '../support/pseudo-terminal.js';
import {
  hosted,
  makeInitialized,
  makeInstallation,
  program,
  type TestInstallation,
} from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';

describe('At a terminal,', () => {
  let installation: TestInstallation;
  afterEach(() => installation.remove());

  const open = (args: string, ollama = 'http://127.0.0.1:9'): PseudoTerminal =>
    openPseudoTerminal(`"${process.execPath}" "${program}" ${args}`, installation.folder, {
      ASSISTANT_OLLAMA_URL: ollama,
    });
  const addHours = () =>
    installation.run([
      ...['knowledge', 'create', '--title', 'Hours', '--domain', 'docs.acme.example'],
      ...['--status', 'published', '--content', 'The shop opens at nine in the morning.'],
    ]);

  it('init asks for its values, hides the password, and sets everything up', async () => {
    installation = await makeInstallation();
    const terminal = open('init --app Shop');
    await terminal.shows(/Organization:/);
    terminal.type('Acme\r');
    await terminal.shows(/Its host name:/);
    assert.ok(!terminal.screen().includes('First app'), 'a given value is not asked for');
    terminal.type('shop.acme.example\r');
    await terminal.shows(/E-mail of the first administrator:/);
    terminal.type('ada@acme.example\r');
    await terminal.shows(/Password/);
    terminal.type('unseen-by-all\r');
    await terminal.shows(/The same password again:/);
    terminal.type('unseen-by-some\r');
    await terminal.shows(/The two passwords differ[^]*Password/);
    terminal.type('unseen-by-all\r');
    await terminal.shows(/differ[^]*The same password again:/);
    terminal.type('unseen-by-all\r');
    assert.equal(await terminal.ended, 0);
    assert.match(terminal.screen(), /made: {4}Administrator ada@acme\.example/);
    assert.ok(!terminal.screen().includes('unseen-by'));
  });

  it('init leaves nothing behind when somebody breaks off before the last answer', async () => {
    installation = await makeInstallation();
    const before = await readdir(installation.folder);
    const terminal = open('init --app Shop --organization Acme --domain shop.acme.example');
    await terminal.shows(/E-mail of the first administrator:/);
    terminal.type('\u0003');
    assert.equal(await terminal.ended, 130);
    assert.deepEqual(await readdir(installation.folder), before);
  });

  it('Ctrl-C and Ctrl-D at a question end the command with 130, without a stack', async () => {
    installation = hosted(await makeInitialized());
    for (const key of ['\u0003', '\u0004']) {
      for (const [command, question] of [
        ['knowledge create', /Title:/],
        ['users create --email ada@acme.example', /Password:/],
        ['apps delete 1', /\(y\/N\)/],
      ] as const) {
        const terminal = open(command);
        await terminal.shows(question);
        terminal.type(key);
        assert.equal(await terminal.ended, 130, command);
        assert.match(terminal.screen(), /Interrupted: nothing more was done\./);
        assert.doesNotMatch(terminal.screen(), /\n\s+at /);
      }
    }
  });

  it('a deletion happens only after a confirmation', async () => {
    installation = hosted(await makeInitialized());
    const { id } = await installation.json<{ id: string }>([
      ...[
        'knowledge',
        'add',
        '--title',
        'Hours',
        '--domain',
        'docs.acme.example',
        '--content',
        'At nine.',
      ],
    ]);
    const no = open(`knowledge delete ${id}`);
    await no.shows(/Delete "Hours"\?/);
    no.type('\r');
    assert.equal(await no.ended, 1);
    assert.equal((await installation.run(['knowledge', 'show', id])).code, 0);
    const yes = open(`knowledge delete ${id}`);
    await yes.shows(/Delete "Hours"\?/);
    yes.type('y\r');
    assert.equal(await yes.ended, 0);
    assert.equal((await installation.run(['knowledge', 'show', id])).code, 3);
  });

  it('ingest --prune names the file that is gone, and asks before it removes its entries', async () => {
    installation = hosted(await makeInitialized());
    const manual = (name: string) => join(installation.folder, 'manuals', `${name}.pdf`);
    await mkdir(join(installation.folder, 'manuals'));
    for (const [pages, name] of ['a', 'b', 'c'].entries()) {
      await writeFile(manual(name), await sampleManual(pages + 1));
    }
    await installation.run(['ingest', 'manuals']);
    await rm(manual('a'));
    const terminal = open('ingest manuals --prune');
    await terminal.shows(/a\.pdf[^]*ingested from this file, since it is gone\? \(y\/N\)/);
    terminal.type('y\r');
    assert.equal(await terminal.ended, 0);
  });

  it('ingest shows a progress bar', async () => {
    installation = hosted(await makeInitialized());
    await writeFile(join(installation.folder, 'manual.pdf'), await sampleManual(30));
    const terminal = open('ingest manual.pdf');
    assert.equal(await terminal.ended, 0);
    assert.match(terminal.screen(), /\[#*\.*\] \d+\/30 (pages|entries)/);
    assert.match(terminal.screen(), /ingested {3}manual\.pdf: 30 pages, 30 entries/);
  });

  it('ask streams the answer, and Ctrl-C ends only that answer, also at the model', async () => {
    const ollama = await startOllamaStandIn({
      answer: () => 'The shop opens at nine in the morning [1].',
      stallAfter: 4,
    });
    try {
      installation = hosted(await makeInitialized());
      await addHours();
      const terminal = open('ask --interactive', ollama.url);
      await terminal.shows(/> $/);
      terminal.type('When does the shop open?\r');
      await terminal.shows(/The shop opens at$/m);
      terminal.type('\u0003');
      await ollama.until(() => ollama.aborted === 1);
      await terminal.shows(/The shop opens at[^(]*\(answered by the model, cut short\)[^]*> $/);
      ollama.stallAfter = undefined;
      terminal.type('When does the shop open in the morning?\r');
      await terminal.shows(
        /at nine in the morning \[1\]\.\s+\[1\] Hours\s+\(answered by the model\)[^]*> $/,
      );
      terminal.type('\u0003');
      assert.equal(await terminal.ended, 0);
      assert.match(terminal.screen(), /ask --interactive --conversation [-\w]{36}/);
    } finally {
      await ollama.stop();
    }
  });
});
