import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  hosted,
  makeInitialized,
  type RunningCli,
  type TestInstallation,
} from '../support/run-cli.js';

const page = 'https://docs.acme.example/pump';
const topics = ['pump', 'valve', 'filter', 'motor', 'gasket', 'sensor', 'boiler', 'fan'];
const questions = [
  'How often is the pump greased?',
  'Where is the gasket of the boiler kept?',
  'reset the alarm',
  'What does the sensro measure?',
  'Wie oft wird das Ventil geprüft?',
  'Who repairs dishwashers?',
];

interface Found {
  data: { id: string; title: string; score: number }[];
}

describe('The same question', () => {
  let installation: TestInstallation;
  let server: RunningCli;
  let get: (path: string) => Promise<Found>;
  let ask: (message: string) => Promise<string>;

  before(async () => {
    installation = hosted(await makeInitialized());
    const entries = topics.map((topic, index) => ({
      title: `About the ${topic}`,
      content: `The ${topic} is greased ${index + 2} times a year. Its gasket is kept in hall ${index}. To reset the alarm of the ${topic}, press the button twice.`,
      domain: 'docs.acme.example',
      status: 'published',
      ...(topic === 'fan' ? { url_pattern: '/pump' } : {}),
    }));
    const lines = entries.map((entry) => JSON.stringify(entry)).join('\n');
    await writeFile(join(installation.folder, 'entries.jsonl'), `${lines}\n`);
    const imported = await installation.run(['knowledge', 'import', 'entries.jsonl']);
    assert.equal(imported.code, 0, imported.stderr);
    server = installation.start(['serve', '--port', '0']);
    const [, url] = await server.until(/serves at (\S+)/);
    const mint = ['tokens', 'create', '--user', 'ada@acme.example', '--name', 'test'];
    const { token } = await installation.json<{ token: string }>(mint);
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    get = async (path) => {
      const response = await fetch(`${url}${path}`, { headers });
      assert.equal(response.status, 200);
      return (await response.json()) as Found;
    };
    ask = async (message) => {
      const body = JSON.stringify({ message, context: { url: page, title: '' } });
      const response = await fetch(`${url}/api/conversations/message`, {
        ...{ method: 'POST', headers, body },
      });
      assert.equal(response.status, 200);
      return ((await response.json()) as { response: string }).response;
    };
  });
  after(async () => {
    server.child.kill('SIGTERM');
    await server.ended;
    await installation.remove();
  });

  it('finds the same passages by the API and by the command line', async () => {
    for (const at of [undefined, page]) {
      for (const question of [...questions, ...questions.slice(0, 2)]) {
        const query = new URLSearchParams({ q: question, limit: '50' });
        if (at !== undefined) query.set('url', at);
        const served = await get(`/api/knowledge/search?${query.toString()}`);
        const args = ['knowledge', 'search', question, '--limit', '50', '--explain'];
        const own = await installation.json<Found>([
          ...args,
          ...(at === undefined ? [] : ['--url', at]),
        ]);
        assert.deepEqual(own.data, served.data, question);
        if (at !== undefined) continue;
        const plain = await installation.json<Found>([
          'knowledge',
          'search',
          question,
          '--limit',
          '50',
        ]);
        assert.deepEqual(
          plain.data.map(({ id, score }) => ({ id, score })),
          served.data.map(({ id, score }) => ({ id, score })),
        );
      }
    }
  }).timeout(180_000);

  it('gets the same reply by both if it is small talk', async () => {
    const { stdout } = await installation.run(['ask', 'Hello!', '--url', page]);
    const answer = await ask('Hello!');
    assert.match(answer, /^Hello! I answer/);
    assert.equal(stdout, `${answer}\n\n  - About the fan\n`);
  });

  it('gets the server’s answer in an evaluation too', async () => {
    const lines = questions.map((question) =>
      JSON.stringify({ question, url: page, unanswerable: true }),
    );
    await writeFile(join(installation.folder, 'questions.jsonl'), `${lines.join('\n')}\n`);
    await installation.run(['eval', 'questions.jsonl', '--details', 'details.jsonl']);
    const details = await readFile(join(installation.folder, 'details.jsonl'), 'utf8');
    const responses = details
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { response: string });
    assert.deepEqual(
      responses.map(({ response }) => response),
      await Promise.all(questions.map(ask)),
    );
  });
});
