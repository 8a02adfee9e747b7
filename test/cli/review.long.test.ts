import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openPseudoTerminal, type PseudoTerminal } from '../support/pseudo-terminal.js';
import {
  makeInitialized,
  program,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';

interface Entry {
  id: number;
  title: string;
  description: string;
  is_active: boolean;
}

describe('assistant batches review and knowledge edit', () => {
  let installation: TestInstallation;
  let host: Host;
  let batch: string;
  let entries: Entry[];

  const read = async () =>
    (await host.json<{ entries: Entry[] }>(['batches', 'show', batch])).entries;
  const open = (args: string, editor = 'false'): PseudoTerminal =>
    openPseudoTerminal(`"${process.execPath}" "${program}" ${args}`, installation.folder, {
      ASSISTANT_OLLAMA_URL: 'http://127.0.0.1:9',
      EDITOR: editor,
      VISUAL: editor,
    });

  before(async () => {
    installation = await makeInitialized();
    host = startHost(installation);
    await writeFile(join(installation.folder, 'manual.pdf'), await sampleManual(6));
    await host.run(['ingest', 'manual.pdf']);
    const { data } = await host.json<{ data: { id: string }[] }>(['batches', 'list']);
    batch = data[0]?.id ?? '';
    entries = await read();
    assert.equal(entries.length, 6);
  });
  after(async () => {
    await host.stop();
    await installation.remove();
  });

  it('require a terminal, and name the command that works without one', async () => {
    const dry = ['batches', 'approve', batch, '--all', '--dry-run'];
    assert.deepEqual(await host.json(dry), { dry_run: true, success: true, approved: 6 });
    assert.ok((await read()).every((entry) => !entry.is_active));
    const { code, stderr } = await host.run(['batches', 'review', batch]);
    assert.equal(code, 2);
    assert.match(stderr, /person at a terminal.*batches approve/);
    const unnamed = await host.run(['batches', 'review']);
    assert.equal(unnamed.code, 2);
    const listed = new RegExp(
      `\\n {2}${batch.slice(0, 8)} +6 drafts {2}manual\\.pdf\\n.*batches show <id>`,
    );
    assert.match(unnamed.stderr, listed);
  });

  it('offer batches with drafts if none is named, and accept the beginning of an id', async () => {
    const { data } = await host.json<{ data: { draft_entries: number }[] }>(['batches', 'list']);
    assert.deepEqual(
      data.map(({ draft_entries: drafts }) => drafts),
      [6],
    );
    const { stdout } = await host.run(['batches', 'list']);
    assert.match(stdout, /drafts[^]*\s6\s/);
    const terminal = open('batches review');
    await terminal.shows(/Which batch\?[^]*6 drafts {2}manual\.pdf/);
    terminal.type('\r');
    await terminal.shows(/1 of 6[^]*Decide/);
    terminal.type('q\r');
    assert.equal(await terminal.ended, 5);
    const shown = await host.json<{ id: string }>(['batches', 'show', batch.slice(0, 6)]);
    assert.equal(shown.id, batch);
  });

  it('store each decision at once, and show title, text and pages of each draft', async () => {
    const terminal = open(`batches review ${batch}`, "sed -i '1s/.*/Rewritten title/'");
    await terminal.shows(/1 of 6 · entry \d+ · page 1 · en · public/);
    await terminal.shows(/a accept, e edit, r reject, s skip[^]*Decide/);
    assert.ok(terminal.screen().includes(entries[0]?.title ?? 'none'));
    assert.ok(terminal.screen().includes('S1x11'), 'the whole text');
    terminal.type('e\r');
    await terminal.shows(/1 of 6[^]*1 of 6[^]*Rewritten title[^]*Decide/);
    assert.equal((await read())[0]?.title, 'Rewritten title');
    terminal.type('a\r');
    await terminal.shows(/2 of 6[^]*Decide/);
    assert.equal((await read())[0]?.is_active, true);
    terminal.type('r\r');
    await terminal.shows(/3 of 6[^]*Decide/);
    assert.equal((await read()).length, 5);
    terminal.type('s\r');
    await terminal.shows(/4 of 6[^]*Decide/);
    // Another person changes the shown draft, so that the decision is about an old text.
    const shown = entries[3]?.id ?? 0;
    await host.json(['knowledge', 'edit', String(shown), '--title', 'Changed by another']);
    terminal.type('a\r');
    await terminal.shows(/has been changed meanwhile[^]*4 of 6[^]*Changed by another[^]*Decide/);
    assert.equal((await read())[2]?.is_active, false);
    // Ctrl-C quits like q, because all decisions are stored.
    terminal.type('\u0003');
    assert.equal(await terminal.ended, 5);
    assert.match(terminal.screen(), /1 accepted, 1 edited, 1 rejected, 4 left\./);
    assert.match(terminal.screen(), /Go on with: assistant batches review/);
  });

  it('continue with the open drafts, go back, and accept the rest on request', async () => {
    const terminal = open(`batches review ${batch} --json`);
    await terminal.shows(/1 of 4[^]*Decide/);
    terminal.type('e\r');
    await terminal.shows(/editor \(false\) ended with 1[^]*1 of 4[^]*Decide/);
    terminal.type('a\r');
    await terminal.shows(/2 of 4[^]*Decide/);
    terminal.type('b\r');
    await terminal.shows(/1 of 4[^·]*[^]*accepted[^]*t take back[^]*Decide/);
    terminal.type('t\r');
    await terminal.shows(/Was published once, and taken back[^]*Decide/);
    assert.equal((await read()).filter((entry) => entry.is_active).length, 1);
    terminal.type('l\r');
    await terminal.shows(/Accept the 3 from this one on, unread\?/);
    terminal.type('y\r');
    await terminal.shows(/unread\? Yes[^]*1 of 4[^]*Decide/);
    assert.equal((await read()).filter((entry) => entry.is_active).length, 4);
    terminal.type('a\r');
    assert.equal(await terminal.ended, 0);
    const [document] = /\{[^{}]*\}\s*$/.exec(terminal.screen()) ?? [''];
    assert.deepEqual(JSON.parse(document), {
      batch_id: batch,
      ...{ accepted: 4, edited: 0, rejected: 0, left: 0 },
    });
    const log = await host.json<{ data: { action: string }[] }>(['audit', 'list']);
    const approvals = log.data.filter(({ action }) => action === 'batch.approve');
    assert.equal(approvals.length, 4);
  });

  it('merge a draft with the next, split it at a line, and undo it', async () => {
    await writeFile(join(installation.folder, 'other.pdf'), await sampleManual(2, 'lamp'));
    await host.run(['ingest', 'other.pdf']);
    const titles = async () =>
      (await host.json<{ entries: Entry[] }>(['batches', 'show', 'other.pdf'])).entries.map(
        ({ title }) => title,
      );
    const [first = '', second = ''] = await titles();
    const terminal = open('batches review other.pdf');
    await terminal.shows(/1 of 2[^]*m merge with next, x split[^]*Decide/);
    terminal.type('m\r');
    await terminal.shows(/pages 1-2[^]*u undo merge, split or replacement[^]*Decide/);
    assert.deepEqual(await titles(), [first]);
    terminal.type('u\r');
    await terminal.shows(/1 of 3[^]*Decide/);
    assert.deepEqual(await titles(), [first, second]);
    terminal.type('x\r');
    await terminal.shows(/The second part begins with/);
    terminal.type('\r');
    await terminal.shows(/1 of 4[^]*Decide/);
    const [one, part = '', other] = await titles();
    assert.deepEqual([one, other], [first, second]);
    assert.ok(part.startsWith(first), 'the first line of its text');
    terminal.type('q\r');
    assert.equal(await terminal.ended, 5);
  });

  it('edit an entry by its fields, and keep its history', async () => {
    const id = String(entries[2]?.id);
    const edited = await host.json<{ version: number; visibility: string; url_pattern: string }>([
      'knowledge',
      'edit',
      id,
      '--visibility',
      'internal',
      '--url-pattern',
      '/manual/*',
    ]);
    assert.deepEqual([edited.visibility, edited.url_pattern], ['internal', '/manual/*']);
    const same = await host.run(['knowledge', 'edit', id, '--visibility', 'internal']);
    assert.match(same.stdout, new RegExp(`Nothing is different: .* version ${edited.version}\\.`));
    await host.json(['knowledge', 'edit', id, '--no-url-pattern', '--visibility', 'default']);
    const history = await host.json<{
      data: { version: number; visibility: string; changed_by: string; content: string }[];
      pagination: { total: number };
    }>(['knowledge', 'history', id]);
    assert.equal(history.pagination.total, edited.version);
    assert.equal(history.data[0]?.visibility, 'internal');
    assert.equal(history.data[0].changed_by, 'operator');
    assert.ok((history.data.at(-1)?.content.length ?? 0) > 100);
    const text = await host.run(['knowledge', 'history', id, '--limit', '1']);
    assert.match(text.stdout, /^version +made \(UTC\) +by +status +tier +title +text\n/);
    assert.match(text.stderr, /1 of \d+ previous versions; the next: --page 2/);
    for (const [args, expected, message] of [
      [['edit', id], 2, /--title/],
      [['edit', '999', '--title', 'x'], 3, /no knowledge entry 999/],
      [['edit', id, '--file', 'none.md'], 3, /--file: none\.md can't be read/],
      [['edit', id, '--visibility', 'publik'], 2, /Did you mean public\?/],
      [['edit', id, '--view', '77'], 3, /view/],
      [['history', '999'], 3, /no knowledge entry 999/],
    ] as const) {
      const { code, stderr } = await host.run(['knowledge', ...args]);
      assert.equal(code, expected, `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, message);
    }
  });

  it('edit the text of an entry in the editor without other options', async () => {
    const id = String(entries[2]?.id);
    const terminal = open(`knowledge edit ${id}`, "sed -i '1s/.*/By hand/'");
    assert.equal(await terminal.ended, 0);
    const entry = await host.json<{ title: string; content: string }>(['knowledge', 'show', id]);
    assert.equal(entry.title, 'By hand');
    assert.equal(entry.content, entries[2]?.description);
  });
});
