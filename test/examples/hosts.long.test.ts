import assert from 'node:assert/strict';
import type { KeyWithSecret } from '../../src/federation/manage-widget-keys.js';
import { rotateSecret } from '../../src/federation/manage-widget-keys.js';
import { describeSnippet } from '../../src/widget/describe-snippet.js';
import { asked } from '../browser/support/people.js';
import { describeInBrowser, visiting } from '../browser/support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from '../browser/support/widget-world.js';
import { callApi } from '../support/api-client.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { addKeyWithSecret } from '../support/widget-keys.js';
import { exampleHosts } from './example-hosts.js';
import type { RunningHost } from './start-host.js';

const question = 'How do I install the program on Linux?';

describeInBrowser('The example hosts', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  it('are tried in every installed language, and always in TypeScript', () => {
    const missing = exampleHosts.filter((example) => example.missing !== undefined);
    for (const { name, missing: why } of missing) console.warn(`NOT TRIED: ${name}. ${why ?? ''}`);
    assert.ok(exampleHosts.length - missing.length >= 3);
  });

  for (const example of exampleHosts.filter(({ missing }) => missing === undefined)) {
    describe(example.name, () => {
      let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
      let key: KeyWithSecret;
      let host: RunningHost;

      before(async () => {
        folder = await makeTemporaryFolder();
        key = await addKeyWithSecret(world.test, world.acme);
        const settings = { service: world.test.url, key: key.key.key, secret: key.secret };
        host = await example.start(folder.path, settings);
      });
      after(async () => {
        await host.stop();
        await folder.remove();
      });

      const get = (path: string, headers: Record<string, string> = {}) =>
        fetch(new URL(path, host.url), { headers });
      const signIn = (person: string, headers: Record<string, string> = {}) =>
        fetch(new URL('/sign-in', host.url), {
          ...{ method: 'POST', redirect: 'manual', headers },
          body: new URLSearchParams({ person }),
        });
      /** The headers of a person with a session. */
      const sessionOf = async (person: string) => {
        const [cookie = ''] = (await signIn(person)).headers.getSetCookie().slice(-1);
        return { cookie, headers: { Cookie: cookie.split(';')[0] ?? '' } };
      };

      it('declares its token endpoint only to signed-in people', async () => {
        const html = await (await get('/')).text();
        assert.match(html, /Not signed in|nobody/);
        assert.doesNotMatch(html, /assistant:|ada@|"ada">\s*<link/);
        const { cookie, headers } = await sessionOf('ada');
        assert.match(cookie, /; ?HttpOnly/i);
        assert.match(cookie, /; ?SameSite=Lax/i);
        const page = await get('/', headers);
        const own = await page.text();
        assert.match(own, /Ada Lovelace/);
        const declared = new RegExp(`<meta name="assistant:widget-key" content="${key.key.key}"`);
        assert.match(own, declared);
        assert.match(own, /<meta name="assistant:token-endpoint" content="\/assistant-token"/);
        assert.equal(page.headers.get('cache-control'), 'no-store');
      });

      it('has the Content-Security-Policy that the widget needs, and no inline script', async () => {
        const page = await get('/');
        const policy = page.headers.get('content-security-policy') ?? '';
        const snippet = await describeSnippet(world.test.app, world.acme.operator, {
          ...{ key: key.key.key, server: world.test.url },
        });
        for (const [directive, sources] of Object.entries(snippet.policy))
          assert.ok(policy.includes(`${directive} 'self' ${sources};`), `${directive}: ${policy}`);
        assert.match(policy, /default-src 'none'/);
        assert.match(policy, /trusted-types assistant/);
        assert.doesNotMatch(policy, /unsafe|\*/);
        assert.doesNotMatch(await page.text(), /<script(?![^>]*\ssrc=)|\son\w+=/);
      });

      it('returns the person’s token only to its own pages', async () => {
        assert.equal((await get('/assistant-token')).status, 401);
        const { headers } = await sessionOf('ada');
        for (const site of ['cross-site', 'same-site', 'none']) {
          const refused = await get('/assistant-token', { ...headers, 'Sec-Fetch-Site': site });
          assert.equal(refused.status, 403, site);
          assert.doesNotMatch(await refused.text(), /token"/);
        }
        const own = { ...headers, 'Sec-Fetch-Site': 'same-origin' };
        const reply = await get('/assistant-token', own);
        assert.equal(reply.status, 200);
        assert.equal(reply.headers.get('cache-control'), 'no-store');
        assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
        assert.equal(reply.headers.get('access-control-allow-origin'), null);
        const body = (await reply.json()) as { token: string };
        assert.deepEqual(Object.keys(body), ['token']);
        const config = await callApi<{ identity: object }>(`${world.test.url}/widget/config`, {
          token: body.token,
          headers: { Origin: new URL(host.url).origin },
        });
        const person = { kind: 'end_user', displayName: 'Ada Lovelace', hasEmail: true };
        assert.deepEqual(config.body.identity, person);
      });

      it('refuses a sign-in from another site, and ends the session at sign-out', async () => {
        const forged = await signIn('ada', { 'Sec-Fetch-Site': 'cross-site' });
        assert.equal(forged.status, 403);
        const { headers } = await sessionOf('ada');
        const out = await signIn('', headers);
        assert.equal(out.status, 303);
        assert.equal((await get('/assistant-token', headers)).status, 401);
        const nobody = await sessionOf('__proto__');
        assert.equal((await get('/assistant-token', nobody.headers)).status, 401);
      });

      it(
        'shows each person their own name and conversations in the widget',
        visiting(async ({ page }) => {
          const { open, ask, log, button } = widgetOn(page);
          const fresh = () =>
            log.getByText(/^(Hello! How can I help|What would you like to know)\?$/).waitFor();
          /** Opens the menu until it greets these people: it shows the service's answer at its next opening. */
          const greets = async (...expected: string[]) => {
            let found: string[] = [];
            for (let tries = 0; tries < 40; tries++) {
              await button('Menu').click();
              await button('Conversations').waitFor();
              found = await page.getByText(/^Signed in as/).allInnerTexts();
              await page.keyboard.press('Escape');
              if (found.join() === expected.join()) return;
            }
            assert.deepEqual(found, expected);
          };
          const choose = async (who: string) => {
            const next = page.waitForEvent('load');
            await page.getByRole('button', { name: who, exact: true }).click();
            await next;
            await open();
          };
          await page.goto(host.url);
          await open();
          await choose('Ada');
          await ask(question);
          await greets('Signed in as Ada Lovelace');
          if (example.name.endsWith('node-host')) {
            // The page offers only other people.
            await page
              .getByRole('button', { name: 'Ada', exact: true })
              .waitFor({ state: 'detached' });
          }
          await choose('Grace');
          await fresh();
          assert.deepEqual(await asked(page), []);
          await greets('Signed in as Grace Hopper');
          await choose('Sign out');
          await fresh();
          assert.deepEqual(await asked(page), []);
          await greets();
        }),
      );

      it('never shows its secret, even if the service refuses it', async () => {
        const { headers } = await sessionOf('grace');
        await rotateSecret(world.test.app, world.acme.operator, key.key.id, { overlapSeconds: 0 });
        const refused = await get('/assistant-token', headers);
        assert.equal(refused.status, 502);
        const texts = [await refused.text(), host.printed()];
        for (const path of ['/', '/page.js']) texts.push(await (await get(path, headers)).text());
        for (const text of texts) assert.ok(!text.includes(key.secret));
        // The log of the host names the reason; the answer does not.
        assert.match(host.printed(), /401/);
        assert.doesNotMatch(texts[0] ?? '', /X-Widget|401/);
      });
    });
  }
});
