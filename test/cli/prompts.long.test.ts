import assert from 'node:assert/strict';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { openPseudoTerminal, type PseudoTerminal } from '../support/pseudo-terminal.js';
import {
  hosted,
  makeInitialized,
  makeInstallation,
  program,
  type TestInstallation,
} from '../support/run-cli.js';

describe('At a terminal, in rare cases,', () => {
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

  it('init asks only for missing values, and again after an invalid one', async () => {
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
    await terminal.shows(/The same password again:/);
    terminal.type('long enough now\r');
    assert.equal(await terminal.ended, 0);
    const again = open('init');
    assert.equal(await again.ended, 0, 'the second run asks nothing');
    assert.match(again.screen(), /exists: {2}Administrator ada@acme\.example/);
  });

  it('an edit without options asks for each value, and offers the current one', async () => {
    installation = hosted(await makeInitialized());
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

  it('ask continues the conversation until an empty line', async () => {
    installation = hosted(await makeInitialized());
    await addHours();
    const terminal = open('ask --interactive');
    await terminal.shows(/> $/);
    terminal.type('When does the shop open?\r');
    await terminal.shows(/opens at nine in the morning\. \[1\]/);
    terminal.type('\r');
    assert.equal(await terminal.ended, 0);
  });

  it('ask reports that a model broke off after its text, not within it', async () => {
    const ollama = await startOllamaStandIn({
      answer: () => 'The shop opens [1] at nine in the morning [1].',
      // The text must be on the screen before the connection breaks, because the client drops unread data.
      stallAfter: 7,
      resetAfter: 7,
    });
    try {
      installation = hosted(await makeInitialized());
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

  it('ask shows that the model is loading until the answer begins', async () => {
    const ollama = await startOllamaStandIn({
      answer: () => 'The shop opens at nine in the morning [1].',
      stallAfter: 0,
    });
    try {
      installation = hosted(await makeInitialized());
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
