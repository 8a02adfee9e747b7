import assert from 'node:assert/strict';
import type { Page } from '../../src/backoffice/page.js';
import { pages } from '../../src/backoffice/serve-backoffice.js';
import { pathsOf } from '../attack/over-pages.js';
import { openArena, type Arena } from '../properties/arena.js';
import type { Side } from '../properties/world.js';
import { onSqlite } from '../support/test-app.js';

/** Values that no field accepts, or only a few. */
const anywhere = ['', ' ', 'x', '0', '-1', '99999999999', '\u0000', 'x'.repeat(30_000)];

/** Invalid or already used values for a field of this name. */
function wrongIn(field: string, { things, people }: Side, other: Side): (string | undefined)[] {
  const addresses = [
    'ftp://x',
    'https://a:b@x.example/',
    'http://127.0.0.1/',
    'https://x.example/',
  ];
  const own = String(things.domain[0]);
  const foreign = String(other.things.domain[0]);
  const hosts = ['com', '*.com', 'localhost', '*.x.example', own, foreign, `*.${foreign}`];
  const given: Record<string, string[]> = {
    url: [...addresses, `https://${foreign}/`],
    domain: hosts,
    host: hosts,
    url_pattern: ['x', '/a/*/b'],
    path: ['x', '/a/*', '/invoices/:id'],
    email: ['x', people.user.email, people.admin.email],
    role: ['user', 'backoffice'],
    person: ['x@x.example', 'user:0', `user:${people.admin.id}`],
    again: ['x@x.example', 'user:0', `user:${people.admin.id}`],
    password: ['short', 'correct horse battery'],
    new_password: ['short', 'correct horse battery'],
    status: ['published', 'draft', 'dismissed', 'resolved', 'open'],
    from: ['2026-05-05', '1999-01-01'],
    to: ['2026-04-04'],
    language: ['xx'],
    time_zone: ['Nowhere/Land'],
    id: things.view.map(String),
    entry: things.draft.map(String),
    app_id: [String(other.appId)],
  };
  return [undefined, ...anywhere, ...(given[field] ?? [])];
}

/** A form whose fields are valid. */
function usual(fields: readonly string[], { things, people, appId }: Side): Record<string, string> {
  const known: Record<string, string> = {
    ...{ title: 'A title', content: 'A text', response: 'An answer', question: 'A question?' },
    ...{ display_name: 'A name', name: 'A name', path: '/a', kind: 'public', tier: 'public' },
    ...{ domain: String(things.domain[0]), host: 'new.example', visibility: 'public' },
    ...{ status: 'draft', count: '1', total: '1', version: '1', change: 'publish' },
    ...{
      entry: String(things.draft[0]),
      from: String(things.draft[0]),
      id: String(things.view[0]),
    },
    ...{ app_id: String(appId), role: 'admin', email: 'new@x.example', publish: 'on', sure: 'on' },
    ...{ password: 'correct horse battery', new_password: 'correct horse battery' },
    ...{ current_password: people.admin.password, code: '000000', typed: 'x', days: '9' },
    ...{ person: `user:${people.admin.id}`, again: `user:${people.admin.id}`, units: '1' },
    ...{ url: 'https://x.example/', language: 'en', appearance: '', time_zone: '' },
  };
  return Object.fromEntries(fields.map((field) => [field, known[field] ?? '']));
}

function fieldsOf(schema: Page['query']): string[] {
  return Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});
}

/** English sentences within the messages of a refusal. */
function englishIn(text: string): string[] {
  const parts = text.match(/<(div|p|section)[^>]*class="[^"]*(fault|problem)[\s\S]*?<\/\1>/g) ?? [];
  return parts.flatMap((part) => part.match(/<span lang="en">[^<]*/g) ?? []);
}

// It puts back the rows of the file after each form.
onSqlite(describe)('Invalid forms of a German reader', function () {
  // It sends thousands of requests, one after another, which takes long on a busy machine.
  this.timeout(600_000);
  let arena: Arena;
  before(async () => {
    arena = await openArena();
  });
  after(() => arena.close());

  it('are refused in German by every action', async () => {
    const [own, other] = arena.world.sides;
    const admin = arena.callers.find((one) => one.cookie !== undefined && one.name === 'admin');
    const headers = {
      ...{ cookie: `assistant=${admin?.cookie ?? ''}`, 'accept-language': 'de' },
      ...{ 'sec-fetch-site': 'same-origin' },
    };
    const english = new Map<string, string>();
    let refused = 0;

    async function send(method: string, path: string, form?: Record<string, string>) {
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await arena.sender.send({
        ...{ method, path: `/backoffice${path}`, headers: { ...headers, ...(form && type) } },
        ...(form && { body: Buffer.from(new URLSearchParams(form).toString()) }),
      });
      await arena.store.restore(await arena.changes());
      assert.ok(answer.status < 500, `${path} answered ${answer.status}: ${JSON.stringify(form)}`);
      if (answer.status >= 400) refused += 1;
      for (const sentence of englishIn(answer.text)) {
        english.set(sentence, `${path} ${JSON.stringify(form ?? {}).slice(0, 300)}`);
      }
      return answer;
    }

    /** Sends a form. If the page asks for the sender's password, sends a wrong and the right one. */
    async function tryForm(path: string, form: Record<string, string>): Promise<void> {
      const { text } = await send('POST', path, form);
      const [, held] = /name="held" value="([^"]+)"/.exec(text) ?? [];
      if (held === undefined) return;
      for (const given of ['wrong', own.people.admin.password]) {
        await send('POST', path, { ...{ do: form['do'] ?? '', held }, current_password: given });
      }
    }

    for (const page of pages) {
      // These addresses belong to sign-ins with a provider, and are opened only from there.
      if (page.access === 'anyone' && page.path.includes('/:')) continue;
      for (const path of pathsOf(page, own.things, 1)) {
        const query = fieldsOf(page.query);
        for (const field of query) {
          for (const value of wrongIn(field, own, other)) {
            if (value === undefined || value.length > 5000) continue;
            await send('GET', `${path}?${new URLSearchParams({ [field]: value }).toString()}`);
          }
        }
        if (query.includes('from')) await send('GET', `${path}?from=2026-05-05&to=2026-04-04`);
        if (query.includes('from')) await send('GET', `${path}?from=1999-05-05&to=2026-04-04`);
        for (const [name, action] of Object.entries(page.actions ?? {})) {
          if (name === 'signOut' || name === 'signOutEverywhere') continue;
          const fields = fieldsOf(action.form);
          const form = { ...usual(fields, own), do: name };
          await tryForm(path, form);
          await tryForm(path, { do: name });
          for (const field of fields) {
            for (const value of wrongIn(field, own, other)) {
              const { [field]: _, ...rest } = form as Record<string, string>;
              await tryForm(path, value === undefined ? rest : { ...rest, [field]: value });
            }
          }
        }
      }
    }
    assert.ok(refused > 500, `only ${refused} requests were refused`);
    assert.deepEqual(
      [...english].map((one) => one.join('\n    sent to ')),
      [],
    );
  });
});
