import assert from 'node:assert/strict';
import { hosted, makeInitialized, type TestInstallation } from '../support/run-cli.js';

describe('assistant knowledge answers', () => {
  let installation: TestInstallation;
  let entry: string;

  before(async () => {
    installation = hosted(await makeInitialized());
    const words = ['--title', 'Pumps', '--content', 'The pump is oiled every month.'];
    const place = ['--domain', 'docs.acme.example', '--status', 'published'];
    const add = ['knowledge', 'create', ...words, ...place];
    entry = (await installation.json<{ id: string }>(add)).id;
  });
  after(() => installation.remove());

  const unused = () =>
    installation.json<{ pagination: { total: number } }>(['knowledge', 'list', '--unused']);

  it('lists the answers that cite an entry, which makes the entry used', async () => {
    assert.equal((await unused()).pagination.total, 1);
    const none = await installation.run(['knowledge', 'answers', entry]);
    assert.equal(none.code, 0);
    assert.match(none.stderr, /No answer cites it/);
    const question = 'How often is the pump oiled?';
    assert.equal((await installation.run(['ask', question])).code, 0);
    assert.equal((await unused()).pagination.total, 0);
    const { stdout, code } = await installation.run(['knowledge', 'answers', 'Pumps']);
    assert.equal(code, 0);
    assert.match(stdout, /cli .*How often is the pump oiled\?/);
    const { data } = await installation.json<{ data: { question: string; channel: string }[] }>([
      ...['knowledge', 'answers', entry],
    ]);
    assert.deepEqual(
      data.map((one) => [one.question, one.channel]),
      [[question, 'cli']],
    );
  });

  it('exits with 3 for a missing entry', async () => {
    assert.equal((await installation.run(['knowledge', 'answers', 'none'])).code, 3);
  });
});
