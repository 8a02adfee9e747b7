import assert from 'node:assert/strict';
import { hosted, makeInitialized, type TestInstallation } from '../support/run-cli.js';

const text = 'How often is the pump greased or oiled?';

describe('assistant knowledge search --explain', () => {
  let installation: TestInstallation;
  let draft: string;

  before(async () => {
    installation = hosted(await makeInitialized());
    const add = async (title: string, status: string) => {
      const words = ['--title', title, '--content', 'The pump is oiled every month.'];
      const place = ['--domain', 'docs.acme.example', '--status', status];
      return installation.json<{ id: string }>(['knowledge', 'create', ...words, ...place]);
    };
    await add('Pumps', 'published');
    draft = (await add('Old pumps', 'draft')).id;
  });
  after(() => installation.remove());

  const search = (...words: string[]) =>
    installation.run(['knowledge', 'search', text, '--explain', ...words]);

  it('shows the parts of each rank, the searched tiers, and words in no passage', async () => {
    const page = ['--url', 'https://docs.acme.example/a', '--tier', 'public'];
    const { code, stdout, stderr } = await search(...page);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^rank +score +words +grams/);
    assert.match(stdout, /\n1 .* domain .* Pumps$/m);
    assert.match(stderr, /Searched in app \d+, tiers public\./);
    assert.match(stderr, /In no passage: .*greased/);
  });

  it('shows why an entry is not found', async () => {
    const { code, stdout } = await search('--entry', draft);
    assert.equal(code, 0);
    assert.match(stdout, /Old pumps .*may not be used in an answer, is not found/);
    assert.match(stdout, / {2}draft: It is a draft: publish it\./);
    const document = await installation.json<{ entry: { eligible: boolean } }>([
      'knowledge',
      'search',
      text,
      '--explain',
      '--entry',
      draft,
    ]);
    assert.equal(document.entry.eligible, false);
    assert.equal((await search('--entry', 'none')).code, 3);
  });

  it('requires --explain for a page, tier or entry', async () => {
    const { code, stderr } = await installation.run([
      'knowledge',
      'search',
      text,
      '--tier',
      'public',
    ]);
    assert.equal(code, 2);
    assert.match(stderr, /go with --explain/);
  });
});
