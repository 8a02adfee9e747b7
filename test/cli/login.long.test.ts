import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createProvider, updateProvider } from '../../src/accounts/sso/manage-providers.js';
import {
  clientId,
  clientSecret,
  pressButton,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../support/identity-provider.js';
import { openPseudoTerminal } from '../support/pseudo-terminal.js';
import { hosted, makeInstallation, program, type TestInstallation } from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';

/** The answer to a request line that no HTTP client sends. */
function askPlainly({ hostname, port }: URL, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.end(`${line} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
    });
    let text = '';
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
    socket.on('error', reject).on('close', () => resolve(text));
  });
}

interface Stored {
  [server: string]: { email: string; token: string; expiresAt: number; refreshToken: string };
}

describe('assistant login and logout', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let idp: TestIdentityProvider;
  let providerId: number;
  let here: TestInstallation;
  let env: Record<string, string>;
  let file: string;

  before(async () => {
    clock = createTestClock(new Date().toISOString());
    test = await serveTestApp({ sso: { allow_private: true } }, clock);
    idp = await startIdentityProvider(`${test.url}/api/auth/sso/callback`);
    acme = await addOrganization(test);
    const made = await createProvider(test.app, acme.operator, {
      ...{ name: 'acme', issuer: idp.issuer, clientId, clientSecret, defaultRole: 'backoffice' },
    });
    providerId = made.id;
    here = hosted(await makeInstallation());
    env = { XDG_CONFIG_HOME: join(here.folder, 'config') };
    file = join(here.folder, 'config', 'assistant', 'sessions.json');
  });
  after(async () => {
    await here.remove();
    await idp.close();
    await test.close();
  });

  const stored = async () => JSON.parse(await readFile(file, 'utf8')) as Stored;
  const logIn = async (...args: string[]) => {
    const running = here.start(['login', '--server', test.url, ...args], env);
    const [address = ''] = await running.until(/^http\S+\/api\/auth\/sso\/start\S+/m, 'stderr');
    return { running, address };
  };
  /** Does what the person's browser does. Returns the text of the last page. */
  const browse = async (address: string) => {
    const started = await fetch(address);
    const cookie = started.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const back = await idp.browse(pressButton(await started.text()));
    const end = await fetch(back, { redirect: 'manual', headers: { cookie } });
    return (await fetch(end.headers.get('location') ?? '')).text();
  };
  const ingest = (...args: string[]) =>
    here.run(['ingest', 'a.pdf', '--server', test.url, ...args], { env });

  it('sign in with the browser, and store the session in a file that only its owner can read', async () => {
    idp.person = { sub: 'ada', email: 'ada@acme.example', email_verified: true };
    const { running, address } = await logIn();
    const listener = new URL(new URL(address).searchParams.get('return_to') ?? '');
    assert.equal(listener.hostname, '127.0.0.1');
    // Another page on this machine can guess the port, but not the state.
    const guessed = await fetch(`${listener.origin}/?code=evil&state=guess`);
    assert.equal(guessed.status, 404);
    assert.match(await askPlainly(listener, 'GET //'), /^HTTP\/1\.1 404 /);
    assert.match(await browse(address), /You are signed in/);
    const { code, stdout } = await running.ended;
    assert.equal(code, 0);
    assert.match(stdout, /Signed in to http\S+ as ada@acme\.example \(backoffice\)/);
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.ok(!stdout.includes((await stored())[test.url]?.token ?? '?'));
  });

  it('store a session that commands use and refresh', async () => {
    await writeFile(join(here.folder, 'a.pdf'), await sampleManual(1));
    const first = await ingest('--no-wait');
    assert.equal(first.code, 0, first.stderr);
    const sessions = await stored();
    const mine = sessions[test.url];
    assert.ok(mine !== undefined);
    await writeFile(file, JSON.stringify({ [test.url]: { ...mine, expiresAt: Date.now() } }));
    // Two simultaneous refreshes with one token would end the session.
    const both = await Promise.all([ingest('--no-wait'), ingest('--no-wait')]);
    for (const { code, stderr } of both) assert.equal(code, 0, stderr);
    const later = (await stored())[test.url];
    assert.notEqual(later?.refreshToken, mine.refreshToken);
  });

  it('report why the server refuses a person', async () => {
    idp.person = { sub: 'eve', email: 'eve@acme.example', email_verified: false };
    const { running, address } = await logIn('--provider', 'acme', '--json');
    assert.match(await browse(address), /no verified e-mail address/);
    const { code, stdout } = await running.ended;
    assert.equal(code, 4);
    assert.match(stdout, /"code": "sign_in_refused"/);
  });

  it('discard the session of another person who opened the address first', async () => {
    const before = await stored();
    idp.person = { sub: 'mallory', email: 'mallory@acme.example', email_verified: true };
    const terminal = openPseudoTerminal(
      `"${process.execPath}" "${program}" login --server ${test.url} --no-browser`,
      here.folder,
      env,
    );
    await terminal.shows(/^http\S+\/api\/auth\/sso\/start\S+\s/m);
    const [address = ''] = /^http\S+\/api\/auth\/sso\/start\S+/m.exec(terminal.screen()) ?? [];
    const page = await browse(address);
    assert.match(page, /<style>[^<]*color-scheme: light dark/);
    await terminal.shows(/signed in as mallory@acme\.example\. Is that you\?/);
    terminal.type('n\r');
    assert.equal(await terminal.ended, 4);
    assert.match(terminal.screen(), /That session was ended, and nothing is kept/);
    assert.deepEqual(await stored(), before);
    const { id } = await test.app.db
      .read('users')
      .where({ email: idp.person.email })
      .first<{ id: number }>();
    const open = test.app.db.read('refresh_tokens').where({ user_id: id }).whereNull('revoked_at');
    assert.deepEqual(await open, []);
  });

  it('keeps the session once the person says that the browser’s one is theirs', async () => {
    idp.person = { sub: 'ada', email: 'ada@acme.example', email_verified: true };
    const line = `"${process.execPath}" "${program}" login --server ${test.url} --no-browser`;
    const terminal = openPseudoTerminal(line, here.folder, env);
    await terminal.shows(/^http\S+\/api\/auth\/sso\/start\S+\s/m);
    const [address = ''] = /^http\S+\/api\/auth\/sso\/start\S+/m.exec(terminal.screen()) ?? [];
    await browse(address);
    await terminal.shows(/signed in as ada@acme\.example\. Is that you\?/);
    terminal.type('y\r');
    assert.equal(await terminal.ended, 0);
    assert.equal((await stored())[test.url]?.email, 'ada@acme.example');
  });

  it('name the existing providers for an unknown one, without opening a browser', async () => {
    const { code, stderr } = await here.run(['login', '--server', test.url, '--provider', 'amce'], {
      env,
    });
    assert.equal(code, 2);
    assert.match(stderr, /no identity provider amce.*acme/);
    assert.ok(!stderr.includes('/api/auth/sso/start'));
  });

  it('exit with an error if the provider no longer exists', async () => {
    const { running, address } = await logIn();
    const gone = new URL(address);
    gone.searchParams.set('provider', 'removed');
    assert.match(await (await fetch(gone)).text(), /no identity provider removed/);
    assert.equal((await running.ended).code, 4);
  });

  it('show success in the browser only after the sign-in', async () => {
    const { running, address } = await logIn();
    const listener = new URL(address).searchParams.get('return_to') ?? '';
    const page = await (await fetch(`${listener}&code=made-up`)).text();
    assert.match(page, /This sign-in is over/);
    assert.doesNotMatch(page, /You are signed in/);
    assert.equal((await running.ended).code, 4);
  });

  it('end and delete the session, and print the provider’s sign-out address', async () => {
    const token = (await stored())[test.url]?.token ?? '';
    const args = ['logout', '--server', test.url];
    const out = await here.json<{ email: string; end_session_url: string }>(args, { env });
    assert.equal(out.email, 'ada@acme.example');
    assert.ok(out.end_session_url.startsWith(`${idp.issuer}/session/end`));
    assert.deepEqual(await stored(), {});
    const me = await fetch(`${test.url}/api/me`, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(me.status, 401);
    assert.equal((await here.run(args, { env })).code, 0);
    const { code, stderr } = await ingest();
    assert.equal(code, 2);
    assert.match(stderr, /assistant login --server/);
  });

  it('sign in with a password from the environment', async () => {
    const user = await addUser(test, acme, 'admin');
    const args = ['login', '--server', test.url, '--email', user.email];
    const { code, stdout, stderr } = await here.run(args, {
      env: { ...env, ASSISTANT_PASSWORD: user.password },
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`as ${user.email} \\(admin\\)`));
    const wrong = await here.run(args, { env: { ...env, ASSISTANT_PASSWORD: 'wrong' } });
    assert.equal(wrong.code, 4);
    assert.equal((await here.run(args, { env })).code, 2);
  });

  it('asks for the server too at a terminal, again after one that is no address', async () => {
    const user = await addUser(test, acme, 'backoffice');
    const line = `"${process.execPath}" "${program}" login --email ${user.email}`;
    const terminal = openPseudoTerminal(line, here.folder, env);
    try {
      await terminal.shows(/Address of the server:/);
      terminal.type('nowhere\r');
      await terminal.shows(/expected an address such as/);
      terminal.type(`\u0015${test.url}\r`);
      await terminal.shows(/Password:/);
      terminal.type(`${user.password}\r`);
      assert.equal(await terminal.ended, 0);
      assert.match(terminal.screen(), new RegExp(`as ${user.email} \\(backoffice\\)`));
    } finally {
      terminal.close();
    }
  });

  it('keeps no session where there is no home folder, and least of all in the present folder', async () => {
    const homeless = { HOME: '', XDG_CONFIG_HOME: '' };
    const args = ['login', '--server', test.url, '--email', 'ada@acme.example'];
    const { code, stderr } = await here.run(args, {
      env: { ...homeless, ASSISTANT_PASSWORD: 'whatever it is' },
    });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /Set HOME or XDG_CONFIG_HOME/);
    assert.deepEqual(
      (await readdir(here.folder)).filter((name) => name === 'assistant' || name === '.config'),
      [],
    );
    const status = await here.run(['status'], { env: homeless });
    assert.doesNotMatch(status.stderr, /^ +at /m);
  });

  it('require --provider if there are several', async () => {
    await createProvider(test.app, acme.operator, { name: 'other', issuer: idp.issuer, clientId });
    const { code, stderr } = await here.run(['login', '--server', test.url], { env });
    assert.equal(code, 2);
    assert.match(stderr, /--provider with one of: acme, other/);
    await updateProvider(test.app, acme.operator, providerId, { disabled: true });
  });
});
