import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPseudoTerminal } from '../support/pseudo-terminal.js';
import { makeInstallation, program, type TestInstallation } from '../support/run-cli.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';

interface DemoAnswer {
  question: string;
  response: string;
  mode: string;
  found: boolean;
  sources: { title: string; pages: { from: number } }[];
}

/** The line of the terminal with the page to open. */
const openedSite = /Open (http:\S+) in your browser/;

/** The answers to the page's questions. The last question has no answer. */
const offered = {
  en: [
    /no service on the internet is needed/,
    /^These steps install Assistant[^]*:\n1\. Install.*[^]*npm ci[^]* init[^]* doctor[^]* serve/,
    /50 MB/,
    /three roles user, backoffice and admin/,
    /^I found no answer/,
  ],
  es: [
    /Assistant no necesita conexión a internet/,
    /^Así se instala Assistant[^]*:\n1\. Instale[^]*npm ci[^]* init[^]* doctor[^]* serve/,
    /50 MB/,
    /rol user[^]*rol backoffice[^]*rol admin/,
    /^No he encontrado/,
  ],
  de: [
    /Assistant braucht keine Verbindung zum Internet/,
    /^So installieren Sie Assistant[^]*:\n1\. Installieren[^]*npm ci[^]* init[^]* doctor[^]* serve/,
    /50 MB/,
    /Rolle user[^]*Rolle backoffice[^]*Rolle admin/,
    /keine Antwort gefunden/,
  ],
};

describe('The demo', () => {
  let installation: TestInstallation;
  beforeEach(async () => (installation = await makeInstallation()));
  afterEach(() => installation.remove());

  const answersOf = (stdout: string) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as DemoAnswer);

  it('answers one question in each language from the manual, with the right page', async () => {
    const { code, stdout, stderr } = await installation.run(['demo', '--exit', '--json']);
    assert.equal(code, 0, stderr);
    const answers = answersOf(stdout);
    const expected = [
      ['no service on the internet is needed', 6],
      ['como máximo 50 MB', 26],
      ['Wer die Rolle user hat, stellt Fragen', 33],
    ] as const;
    assert.equal(answers.length, expected.length);
    for (const [index, [sentence, page]] of expected.entries()) {
      const answer = answers[index];
      assert.ok(answer !== undefined);
      assert.ok(answer.response.includes(sentence), answer.response);
      assert.equal(answer.sources[0]?.pages.from, page);
      assert.equal(answer.mode, 'extractive');
    }
    assert.match(stderr, /There is no language model at http/);
    const folder = /temporary installation in (\S+)/.exec(stderr)?.[1] ?? '';
    assert.ok(folder !== '' && !existsSync(folder), 'its folder is deleted');
  });

  it('runs if ASSISTANT_CONFIG names a file that does not exist yet, as in the image', async () => {
    const env = { ASSISTANT_CONFIG: join(installation.folder, 'config.yaml') };
    const { code, stdout, stderr } = await installation.run(['demo', '--exit', '--json'], { env });
    assert.equal(code, 0, stderr);
    assert.equal(answersOf(stdout).length, 3);
    assert.deepEqual(await readdir(installation.folder), [], 'the demo writes nothing here');
  });

  it('uses an available model, and names it', async () => {
    const ollama = await startOllamaStandIn({ answer: () => 'The manual says so. [1]' });
    try {
      const { code, stdout, stderr } = await installation.run(['demo', '--exit', '--json'], {
        env: { ASSISTANT_OLLAMA_URL: ollama.url },
      });
      assert.equal(code, 0, stderr);
      assert.match(stderr, /Answers come from the model llama3\.2/);
      const answers = answersOf(stdout);
      assert.deepEqual(
        answers.map(({ mode }) => mode),
        ['ollama', 'ollama', 'ollama'],
      );
      assert.ok(answers.every(({ sources }) => sources.length === 1));
    } finally {
      await ollama.stop();
    }
  });

  it('keeps serving a host page with the widget until it is interrupted', async () => {
    const running = installation.start(['demo']);
    await running.until(/Q: Welche Rollen[\s\S]*\[1\] /);
    await running.until(/Ctrl-C stops/, 'stderr');
    const [, page = ''] = openedSite.exec(running.stderr()) ?? [];
    const html = await (await fetch(page)).text();
    assert.match(html, /<title>Getting started – Assistant<\/title>/);
    const pageAt = async (path: string, accepted?: string) => {
      const headers = accepted === undefined ? {} : { 'Accept-Language': accepted };
      const text = await (await fetch(new URL(path, page), { headers })).text();
      assert.doesNotMatch(text, /\{\{|<!-- /, 'the page is filled in');
      for (const language of ['en', 'es', 'de'])
        assert.ok(text.includes(`href="/?lang=${language}"`), path);
      return text;
    };
    const languageAt = async (path: string, accepted?: string) =>
      /<html lang="(\w+)">/.exec(await pageAt(path, accepted))?.[1];
    for (const language of ['en', 'es', 'de'])
      assert.equal(await languageAt(`/?lang=${language}`, 'fr'), language);
    assert.equal(await languageAt('/?lang=de&lang=en', 'es'), 'de');
    for (const unknown of ['/?lang=fr', '/?lang=', '/?lang=__proto__', '/?lang=%zz'])
      assert.equal(await languageAt(unknown, 'es'), 'es', unknown);
    for (const [accepted, language] of [
      ['de-AT,de;q=0.9,en;q=0.8', 'de'],
      ['fr, en;q=0.3, ES-mx;q=0.7', 'es'],
      ['de;q=0, es', 'es'],
      ['fr', 'en'],
      ['*', 'en'],
      [';q=x,,', 'en'],
    ] as const)
      assert.equal(await languageAt('/', accepted), language, accepted);
    for (const [path, status] of [
      ['/', 200],
      ['/page.css', 200],
      ['/logo.svg', 200],
      ['/nowhere', 404],
    ] as const) {
      const head = await fetch(new URL(path, page), { method: 'HEAD' });
      assert.deepEqual([head.status, await head.text()], [status, ''], path);
    }
    const [, script = ''] = /<script src="([^"]+assistant\.js)"/.exec(html) ?? [];
    assert.equal((await fetch(script)).status, 200, 'its page finds the widget');
    // The host gives the widget a token for Ada, as any host does.
    const token = await tokenOfAda(page);
    const ask = async (message: string, shown = html) => {
      // The widget sends this about its page.
      const headings = [...shown.matchAll(/<h\d>([^<]+)</g)].map(([, heading = '']) => heading);
      const [, title = ''] = /<title>([^<]+)</.exec(shown) ?? [];
      const pageStructure = { headings, navigation: [] };
      const answer = await fetch(new URL('/widget/message', script), {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...{ Origin: new URL(page).origin, Authorization: `Bearer ${token}` },
        },
        body: JSON.stringify({ message, context: { url: page, title, pageStructure } }),
      });
      return ((await answer.json()) as DemoAnswer).response;
    };
    // The questions are in the page's language.
    for (const [language, answers] of Object.entries(offered)) {
      const text = await pageAt(`/?lang=${language}`);
      const questions = [...text.matchAll(/<button disabled>([^<]+)</g)].map(([, one = '']) => one);
      assert.equal(questions.length, answers.length);
      for (const [index, question] of questions.entries()) {
        const answer = await ask(question, text);
        assert.match(answer, answers[index] ?? /never/, question);
        assert.doesNotMatch(answer, /run demo/, 'the demo is not an installation');
      }
    }
    assert.match(await ask('Wie lange gilt ein Zugriffstoken?'), /15 Minuten/);
    assert.match(await ask('Wie lange gilt ein Zugangstoken?'), /15 Minuten/);
    running.child.kill('SIGINT');
    const { code } = await running.ended;
    assert.equal(code, 0);
    assert.match(running.stderr(), /Stopped\. The folder/);
    await assert.rejects(fetch(page), 'the host page ends with the demo');
  });

  it('leaves its own questions in no account’s history', async () => {
    const running = installation.start(['demo']);
    try {
      await running.until(/Ctrl-C stops/, 'stderr');
      const [, api = ''] = /The API +(\S+)\/api/.exec(running.stderr()) ?? [];
      const [, password] = /Their password +(\S+)/.exec(running.stderr()) ?? [];
      const login = await fetch(`${api}/api/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'admin@demo.example', password }),
      });
      const { token } = (await login.json()) as { token: string };
      // Staff may read all conversations of the organization.
      const headers = { Authorization: `Bearer ${token}` };
      const reply = await fetch(`${api}/api/conversations`, { headers });
      assert.equal(reply.status, 200);
      assert.deepEqual(((await reply.json()) as { data: unknown[] }).data, []);
    } finally {
      running.child.kill('SIGINT');
      await running.ended;
    }
  });

  it('removes its folder when its terminal is closed', async () => {
    const command = `"${process.execPath}" "${program}" demo`;
    const terminal = openPseudoTerminal(command, installation.folder, {
      ASSISTANT_OLLAMA_URL: 'http://127.0.0.1:9',
    });
    await terminal.shows(/Ctrl-C stops/);
    const folder = /temporary installation in (\S+)/.exec(terminal.screen())?.[1] ?? '';
    assert.ok(existsSync(folder));
    terminal.close();
    while (existsSync(folder)) await wait(50);
  });

  it('shows a visitor’s request at the terminal, where a person answers it', async () => {
    const command = `"${process.execPath}" "${program}" demo`;
    const terminal = openPseudoTerminal(command, installation.folder, {
      ASSISTANT_OLLAMA_URL: 'http://127.0.0.1:9',
    });
    try {
      await terminal.shows(/Ctrl-C stops/);
      const [, page = ''] = openedSite.exec(terminal.screen()) ?? [];
      const [, api = ''] = /The API +(\S+)\/api/.exec(terminal.screen()) ?? [];
      const headers = {
        'Content-Type': 'application/json',
        ...{ Origin: new URL(page).origin, Authorization: `Bearer ${await tokenOfAda(page)}` },
      };
      const askPerson = (question: string) =>
        fetch(`${api}/widget/requests`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ question, url: page }),
        });
      const asked = await askPerson('Who paints the office?');
      assert.equal(asked.status, 201);
      await terminal.shows(/A visitor asks a person: Who paints the office\?[^]*Your answer/);
      terminal.type('The painters come each spring.\r');
      await terminal.shows(/Sent\. The answer is in the conversation/);
      const location = asked.headers.get('location') ?? '';
      const answered = await fetch(new URL(location, api), { headers });
      const { response } = (await answered.json()) as { response: string };
      assert.equal(response, 'The painters come each spring.');
      // Ctrl-C while a visitor waits for an answer.
      await askPerson('Who waters the plants?');
      await terminal.shows(/Who waters the plants\?[^]*Your answer/);
      terminal.type('\u0003');
      assert.equal(await terminal.ended, 0);
      assert.match(terminal.screen(), /Stopped\. The folder/);
    } finally {
      terminal.close();
    }
  });
});

async function tokenOfAda(page: string): Promise<string> {
  const signedIn = await fetch(new URL('/sign-in', page), {
    method: 'POST',
    body: new URLSearchParams({ person: 'ada' }),
    redirect: 'manual',
  });
  const [cookie = ''] = signedIn.headers.getSetCookie();
  const headers = { Cookie: cookie.split(';')[0] ?? '' };
  const reply = await fetch(new URL('/assistant-token', page), { headers });
  return ((await reply.json()) as { token: string }).token;
}

describe('bin/assistant.js', () => {
  it('names the required Node version if an older one runs it', () => {
    const stub =
      'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"18.19.0"})';
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', stub, program, '--version'],
      {
        encoding: 'utf8',
      },
    );
    assert.equal(status, 1);
    assert.match(stderr, /needs Node 20\.17 or later; this is 18\.19\.0/);
  });
});
