import assert from 'node:assert/strict';
import { describeSnippet } from '../../src/widget/describe-snippet.js';
import { noteDomains, snippetText } from '../../src/widget/snippet.commands.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { addOrganization, openTestApp, type TestApp } from '../support/test-app.js';
import { addWidgetKey } from '../support/widget-keys.js';

describe('The widget’s HTML tag', () => {
  let test: TestApp;
  const server = 'https://assistant.example.com';

  beforeEach(async () => (test = await openTestApp()));
  afterEach(() => test.close());

  it('has a warning if the app has no domain', async () => {
    const acme = await addOrganization(test);
    const lonely = await createApp(test.app, acme.operator, { name: 'Lonely' });
    const key = await addWidgetKey(test, acme, 'public', { appId: lonely.id });
    const snippet = await describeSnippet(test.app, acme.operator, { key, server });
    assert.deepEqual(snippet.domains, []);
    assert.match(snippetText(snippet), /\n {2}trusted-types assistant;\n/);
    assert.match(snippetText(snippet), /may use it:\n {2}none$/);
    const notes: string[] = [];
    const out = {
      note: (text: string) => notes.push(text),
    } as unknown as Parameters<typeof noteDomains>[0];
    noteDomains(out, snippet);
    assert.match(notes[0] ?? '', /^Warning: no page may use this key yet\./);
    assert.match(
      notes[0] ?? '',
      /\n {2}assistant domains create --host www\.example\.com --app 1\n/,
    );
  });

  it('names localhost as a domain only if the configuration allows it', async () => {
    const acme = await addOrganization(test, 'Acme', 'localhost');
    const { operator } = acme;
    const key = await addWidgetKey(test, acme, 'public');
    const domainsWith = async (allow_localhost: boolean) => {
      const widget = { ...test.app.config.widget, allow_localhost };
      const app = { ...test.app, config: { ...test.app.config, widget } };
      return (await describeSnippet(app, operator, { key, server })).domains;
    };
    assert.deepEqual(await domainsWith(false), []);
    assert.deepEqual(await domainsWith(true), ['localhost']);
  });

  it('is refused for a key of another organization', async () => {
    const acme = await addOrganization(test);
    const globex = await addOrganization(test, 'Globex');
    const key = await addWidgetKey(test, globex, 'public');
    await assert.rejects(describeSnippet(test.app, acme.operator, { key, server }), {
      code: 'not_found',
    });
    const domains = async (organization: typeof acme) => {
      const own = await addWidgetKey(test, organization, 'public');
      return (await describeSnippet(test.app, organization.operator, { key: own, server })).domains;
    };
    assert.deepEqual(await domains(acme), ['acme.example']);
    assert.deepEqual(await domains(globex), ['globex.example']);
  });

  it('escapes the server’s address and refuses an invalid one', async () => {
    const acme = await addOrganization(test);
    const key = await addWidgetKey(test, acme, 'public');
    const odd = 'https://a.example/"><img>';
    const { tag } = await describeSnippet(test.app, acme.operator, { key, server: odd });
    assert.match(tag, /^<script src="https:\/\/a\.example\/%22%3E%3Cimg%3E\/widget\/v1\//);
    for (const bad of ['ftp://a.example', 'https://u:p@a.example', 'https://a.example/?x', 'a']) {
      const input = { key, server: bad };
      await assert.rejects(describeSnippet(test.app, acme.operator, input), { code: 'usage' });
    }
  });
});
