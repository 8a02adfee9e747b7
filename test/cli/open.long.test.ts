import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pages } from '../../src/backoffice/serve-backoffice.js';
import { operations } from '../../src/main/create-server.js';
import { serverPages } from '../../src/main/open.commands.js';
import { hasDisplay } from '../../src/platform/cli/open-browser.js';
import { makeInitialized, type TestInstallation } from '../support/run-cli.js';

describe('assistant open', () => {
  let installation: TestInstallation;
  let env: Record<string, string>;
  /** The file with the arguments of the stand-in for the desktop's opener. */
  let asked: string;
  before(async () => {
    installation = await makeInitialized();
    const folder = join(installation.folder, 'bin');
    asked = join(installation.folder, 'asked');
    await mkdir(folder);
    const opener = join(folder, process.platform === 'darwin' ? 'open' : 'xdg-open');
    await writeFile(
      opener,
      `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > '${asked}.part'\nmv '${asked}.part' '${asked}'\n`,
    );
    await chmod(opener, 0o755);
    env = { ...noDisplay, PATH: `${folder}:${process.env['PATH'] ?? ''}`, DISPLAY: ':9' };
  });
  after(() => installation.remove());

  const noDisplay = {
    ...{ DISPLAY: '', WAYLAND_DISPLAY: '', SSH_CONNECTION: '', SSH_CLIENT: '', SSH_TTY: '' },
  };
  const run = (args: string[], more: Record<string, string> = {}) =>
    installation.run(['open', ...args], { env: { ...env, ...more } });

  it('prints the addresses of pages that the server has', async () => {
    for (const { name, path } of serverPages) {
      const declared = operations.some((one) => one.method === 'get' && one.path === path);
      assert.ok(
        declared || (path === '/backoffice' && pages.some((one) => one.path === '/')),
        name,
      );
    }
    assert.equal((await run(['--print'])).stdout, 'http://localhost:8080/\n');
    const set = { ASSISTANT_SERVER_PUBLIC_URL: 'https://a.example/help/' };
    assert.equal((await run(['docs', '--print'], set)).stdout, 'https://a.example/help/api/docs\n');
    const { stderr } = await run(['health', '--print']);
    assert.match(stderr, /No server runs here now\. Start it: assistant serve/);
  });

  it('uses the address of a running server', async () => {
    const server = installation.start(['serve', '--host', '0.0.0.0', '--port', '0'], env);
    const [, port] = await server.until(/serves at \S+:(\d+)/);
    const { stdout, stderr } = await run(['home', '--print']);
    assert.deepEqual([stdout, stderr], [`http://localhost:${port}/\n`, '']);
    const link = (await run(['backoffice', '--print'])).stdout.trim();
    assert.match(
      link,
      new RegExp(`^http://localhost:${port}/backoffice/sign-in/link\\?token=.{43}$`),
    );
    const page = await fetch(link);
    assert.match(await page.text(), /name="do" value="useLink"/);
    // The sign-in link works only on this machine, not under a public address.
    const set = { ASSISTANT_SERVER_PUBLIC_URL: 'https://a.example/help/' };
    const plain = await run(['backoffice', '--print'], set);
    assert.equal(plain.stdout, 'https://a.example/help/backoffice\n');
    server.child.kill('SIGTERM');
    await server.ended;
  });

  it('passes the address to the browser as one argument, without a shell', async () => {
    const domain = ['--domain', 'docs.acme.example', '--content', 'C'];
    const add = ['knowledge', 'create', ...domain, '--status', 'published'];
    await installation.run([
      ...add,
      '--title',
      'Lost $(touch x) keys',
      '--url-pattern',
      '/help/$(id)/*',
    ]);
    const { code, stdout, stderr } = await run(['Lost $(touch x) keys']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(stdout, 'https://docs.acme.example/help/$(id)\n');
    for (;;) {
      const text = await readFile(asked, 'utf8').catch(() => undefined);
      if (text === undefined) continue;
      assert.equal(text, '1\nhttps://docs.acme.example/help/$(id)\n');
      return;
    }
  });

  it('only prints the address over SSH or without a display', async () => {
    for (const away of [noDisplay, { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }]) {
      const { url, opened } = await installation.json<{ url: string; opened: boolean }>(
        ['open', 'docs'],
        { env: { ...env, ...away } },
      );
      assert.deepEqual([url, opened], ['http://localhost:8080/api/docs', false]);
    }
    assert.match((await run(['docs'], noDisplay)).stderr, /no browser here/);
    assert.equal(hasDisplay({}, 'darwin'), true);
    assert.equal(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux'), true);
    assert.equal(hasDisplay({ DISPLAY: ':0', SSH_TTY: '/dev/pts/1' }, 'darwin'), false);
  });

  it('names the pages if neither a page nor an entry has the name', async () => {
    const { code, stderr } = await run(['dosc']);
    assert.deepEqual([code, /Did you mean docs\?/.test(stderr)], [3, true]);
    assert.match(
      (await run(['zzzzzz'])).stderr,
      /Pages are: home, backoffice, docs, openapi, health\./,
    );
  });
});
