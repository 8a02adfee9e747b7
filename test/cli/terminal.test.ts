import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { openPseudoTerminal, type PseudoTerminal } from '../support/pseudo-terminal.js';
import {
  makeInitialized,
  makeInstallation,
  program,
  type TestInstallation,
} from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';

describe('at a terminal', () => {
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

  it('init asks for what it needs, shows no password, and makes it all', async () => {
    installation = await makeInstallation();
    const terminal = open('init --app Shop');
    await terminal.shows(/Organization:/);
    terminal.type('Acme\r');
    await terminal.shows(/Its host name:/);
    assert.ok(!terminal.screen().includes('First app'), 'what is given is not asked for');
    terminal.type('shop.acme.example\r');
    await terminal.shows(/E-mail of the first administrator:/);
    terminal.type('ada@acme.example\r');
    await terminal.shows(/Password/);
    terminal.type('unseen-by-all\r');
    assert.equal(await terminal.ended, 0);
    assert.match(terminal.screen(), /made: {4}Administrator ada@acme\.example/);
    assert.ok(!terminal.screen().includes('unseen-by-all'));
  });

  it('Ctrl-C at a question ends with 130, as shells expect', async () => {
    installation = await makeInstallation();
    const terminal = open('init');
    await terminal.shows(/Organization:/);
    terminal.type('\u0003');
    assert.equal(await terminal.ended, 130);
  });

  it('init asks again for what can not be used, and only for what is missing', async () => {
    installation = await makeInstallation();
    const given = '--organization Acme --app Shop --domain shop.acme.example';
    const terminal = open(`init ${given}`);
    await terminal.shows(/E-mail of the first administrator:/);
    assert.doesNotMatch(terminal.screen(), /Organization:|First app:|host name:/);
    terminal.type('nonsense\r');
    await terminal.shows(/"nonsense" is not an e-mail address/);
    terminal.type('\u0015ada@acme.example\r');
    await terminal.shows(/Password/);
    terminal.type('too short\r');
    await terminal.shows(/must have 10 to 1000 characters/);
    terminal.type('\u0015long enough now\r');
    assert.equal(await terminal.ended, 0);
    const again = open('init');
    assert.equal(await again.ended, 0, 'a second time nothing is asked');
    assert.match(again.screen(), /exists: {2}Administrator ada@acme\.example/);
  });

  it('a deletion is asked about, and left undone unless it is confirmed', async () => {
    installation = await makeInitialized();
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

  it('an edit without options asks for each value, with the present one to be edited', async () => {
    installation = await makeInitialized();
    const user = open('users edit ada@acme.example');
    await user.shows(/E-mail address: ada@acme\.example/);
    user.type('\r');
    await user.shows(/Name: ada$/);
    user.type(' L.\r');
    await user.shows(/Role \(user, backoffice, admin\): admin$/);
    user.type('\u0015boss\r');
    await user.shows(/allowed are .*, not "boss"/);
    user.type('\u0015admin\r');
    assert.equal(await user.ended, 0);
    assert.match(user.screen(), /Changed ada@acme\.example \(admin\)\./);
    const { data } = await installation.json<{ data: { display_name: string }[] }>([
      ...['users', 'list'],
    ]);
    assert.equal(data[0]?.display_name, 'ada L.');

    const site = open('apps edit 1');
    await site.shows(/Name of the app: Documentation$/);
    site.type('\r');
    await site.shows(/Default visibility \([^)]*\): none$/);
    site.type('\r');
    assert.equal(await site.ended, 0);
    assert.match(site.screen(), /Nothing was changed\./);
  });

  it('Ctrl-C at a question ends the command without a stack', async () => {
    installation = await makeInstallation();
    const terminal = open('init');
    await terminal.shows(/Organization:/);
    terminal.type('\u0003');
    assert.notEqual(await terminal.ended, 0);
    assert.ok(!/\n\s+at /.test(terminal.screen()), terminal.screen());
  });

  it('ingest shows a bar while it works', async () => {
    installation = await makeInitialized();
    await writeFile(join(installation.folder, 'manual.pdf'), await sampleManual(30));
    const terminal = open('ingest manual.pdf');
    assert.equal(await terminal.ended, 0);
    assert.match(terminal.screen(), /\[#*\.*\] \d+\/30 (pages|entries)/);
    assert.match(terminal.screen(), /ingested {3}manual\.pdf: 30 pages, 30 entries/);
  });

  it('ask goes on with the conversation until an empty line', async () => {
    installation = await makeInitialized();
    await addHours();
    const terminal = open('ask --interactive');
    await terminal.shows(/> $/);
    terminal.type('When does the shop open?\r');
    await terminal.shows(/opens at nine in the morning\. \[1\]/);
    terminal.type('\r');
    assert.equal(await terminal.ended, 0);
  });

  it('ask writes the answer as it comes, and Ctrl-C ends that answer alone, at the model too', async () => {
    const ollama = await startOllamaStandIn({
      answer: () => 'The shop opens at nine in the morning [1].',
      stallAfter: 4,
    });
    try {
      installation = await makeInitialized();
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

  it('ask says that a model broke off behind what it had said, not within it', async () => {
    const ollama = await startOllamaStandIn({
      answer: () => 'The shop opens [1] at nine in the morning [1].',
      // What it said is on the screen before it breaks off: both at once, and the client may drop what it has not read.
      stallAfter: 7,
      resetAfter: 7,
    });
    try {
      installation = await makeInitialized();
      await addHours();
      const terminal = open('ask --interactive', ollama.url);
      await terminal.shows(/> $/);
      terminal.type('When does the shop open?\r');
      await terminal.shows(/^The shop opens \[1\] at/m);
      ollama.release();
      await terminal.shows(
        /^The shop opens \[1\] at nine[^(]*\n\(the model broke off[^]*\[1\] Hours[^]*which broke off[^]*> $/m,
      );
      terminal.type('\u0003');
      assert.equal(await terminal.ended, 0);
    } finally {
      await ollama.stop();
    }
  });

  it('ask says that the model is loading while nothing comes, and takes it back', async () => {
    const ollama = await startOllamaStandIn({
      answer: () => 'The shop opens at nine in the morning [1].',
      stallAfter: 0,
    });
    try {
      installation = await makeInitialized();
      await addHours();
      const terminal = open('ask When does the shop open', ollama.url);
      await terminal.shows(/\(the model is loading…\)/);
      ollama.release();
      await terminal.shows(/The shop opens at nine in the morning \[1\]\./);
      assert.equal(await terminal.ended, 0);
    } finally {
      await ollama.stop();
    }
  });
});
