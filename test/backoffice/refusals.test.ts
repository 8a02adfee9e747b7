import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { refusalsDe } from '../../src/backoffice/texts/refusals.de.js';
import { refusalsEs } from '../../src/backoffice/texts/refusals.es.js';
import type { Refusals } from '../../src/backoffice/texts/refusals.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { addOrganization, addUser, serveTestApp, type TestApp } from '../support/test-app.js';
import { openPageClient, type PageClient } from './support/page-client.js';

const src = join(packageRoot(), 'src');
const sources = globSync('**/*.{ts,tsx}', { cwd: src, ignore: 'backoffice/texts/**' })
  .map((file) => readFileSync(join(src, file), 'utf8'))
  .join('\n');

describe('The texts of refusals', () => {
  const known: Refusals['reasons'] = refusalsDe.reasons;

  it('exist for every reason in the program, and for no other', () => {
    const named = [...sources.matchAll(/\{\s*is: '(\w+)'[,\s]*[}\w]/g)].map(
      ([, name]) => name ?? '',
    );
    assert.ok(named.length > 50);
    for (const name of named) assert.ok(name in known, `no text for the reason ${name}`);
    for (const key of Object.keys(known)) {
      const [name = ''] = key.split('.');
      const family = name.replace(/_(text|list|number)$/, '_${');
      const isNamed = sources.includes(`'${name}'`) || sources.includes(`\`${family}`);
      assert.ok(isNamed, `nothing names the reason ${name}`);
    }
  });

  it('contain the same facts in every language', () => {
    const factsOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const [key, text] of Object.entries<string>(refusalsEs.reasons)) {
      assert.deepEqual(factsOf(text), factsOf(known[key] ?? ''), key);
    }
  });
});

describe('A refusal on a page', () => {
  let test: TestApp & { url: string };
  let browser: PageClient;
  const speaks = (language: string) => ({
    'sec-fetch-site': 'same-origin',
    'accept-language': language,
  });

  beforeEach(async () => {
    test = await serveTestApp({});
    browser = openPageClient(test.url);
    await browser.signIn(await addUser(test, await addOrganization(test), 'admin'));
  });
  afterEach(() => test.close());

  it('is in the language of the page, with the facts of the case', async () => {
    const form = { do: 'create', name: 'Garten', default_knowledge_visibility: '' };
    await browser.send('/sites', form);
    const refusalIn = async (language: string) =>
      (await browser.send('/sites', form, speaks(language))).text;
    assert.match(await refusalIn('de'), /hat schon eine App namens Garten\./);
    assert.match(await refusalIn('es'), /ya tiene una aplicación llamada Garten\./);
    assert.match(await refusalIn('en'), /has an app named Garten already\./);
  });

  it('names the field as the page does', async () => {
    const send = async (language: string) =>
      (await browser.send('/webhooks', { do: 'create', url: 'ftp://x' }, speaks(language))).text;
    const german = await send('de');
    assert.match(german, /Adresse: muss eine http- oder https-Adresse/);
    assert.doesNotMatch(german, /must be/);
    assert.match(await send('en'), /url: must be an http\(s\) address/);
  });
});
