import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { addUserToken } from '../support/widget-keys.js';
import { openGate } from './support/gate.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import {
  openWidgetWorld,
  scriptPath,
  watchFrames,
  widgetOn,
  type WidgetWorld,
} from './support/widget-world.js';

const question = 'How do I install the program on Linux?';

describeInBrowser('The data that the widget sends', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    world.gate.sockets = 'pass';
    world.gate.requests.length = world.gate.bodies.length = 0;
  });

  const personal = [
    'ana@b.example',
    '+49 30 1234567',
    'DE89370400440532013000',
    '4111111111111111',
  ];
  const secrets = ['hunter22', 'hidden-csrf'];
  /** A page with personal data in its address, its text and a form. */
  const openFull = async (page: Page, attributes: Record<string, string>) => {
    const [mail = '', phone = '', iban = '', card = ''] = personal;
    const body = `<h2>Orders of ${mail}</h2><p id="marked">Call ${phone}</p>
      <form><input name="mail" value="${mail}"><textarea name="note">${iban} and ${phone}</textarea>
      <input name="pay" autocomplete="cc-number" value="${card}"><input type="password" name="p" value="hunter22">
      <input type="hidden" name="csrf" value="hidden-csrf"></form>`;
    const given = Object.entries(attributes).map(([name, value]) => ` data-${name}="${value}"`);
    const tag = `<script src="${world.gate.url}${scriptPath}" data-api-key="${world.key.key.key}"${given.join('')}></script>`;
    const values = { head: '', body: body + tag };
    await page.goto(`${world.put('/full', { page: 'bare.html', values })}?mail=${mail}&token=abc`);
    await page.locator('#marked').selectText();
  };
  const askOn = async (page: Page) => {
    const { open, ask } = widgetOn(page);
    await open();
    await ask(`${question} I am ana@b.example, DE89370400440532013000.`);
  };

  for (const sockets of ['pass', 'refuse'] as const)
    it(
      `is masked with piiMasking, including form values, over ${sockets === 'pass' ? 'a WebSocket' : 'server-sent events'}`,
      visiting(async ({ page, expectProblem }) => {
        expectProblem(/WebSocket/);
        world.gate.sockets = sockets;
        const { sent } = watchFrames(page);
        await openFull(page, { 'pii-masking': '', 'form-values': '' });
        await askOn(page);
        const frames = sent.filter(({ type }) => type === 'message');
        const bodies = world.gate.bodies.filter(({ path }) => path === '/widget/message');
        assert.equal(sockets === 'pass' ? frames.length : bodies.length, 1);
        const asked = JSON.stringify(frames) + bodies.map(({ body }) => body).join();
        for (const mask of ['[email]', '[phone]', '[iban]'])
          assert.ok(asked.includes(mask), `${mask} is in ${asked}`);
        assert.match(asked, /"value":"\[email\]"/);
        const left = decodeURIComponent(
          asked + JSON.stringify(sent) + world.gate.requests.join() + JSON.stringify(bodies),
        );
        for (const text of [...personal, ...secrets, 'token=abc'])
          assert.ok(!left.includes(text), `${text} has left the page`);
      }),
    );

  it(
    'contains no form values unless piiMasking and formValues are both set, and no hidden fields',
    visiting(async ({ page }) => {
      const { sent } = watchFrames(page);
      const asking = async (attributes: Record<string, string>) => {
        sent.length = 0;
        await openFull(page, attributes);
        await askOn(page);
        return JSON.stringify(sent.filter(({ type }) => type === 'message'));
      };
      const masked = await asking({ 'pii-masking': '' });
      const asked = await asking({ 'form-values': '' });
      assert.ok(masked.includes('[email]') && !masked.includes('"value"'), masked);
      assert.ok(asked.includes('Orders of ana@b.example'), 'it is sent without masking');
      assert.ok(!asked.includes('"value"'), 'form values require piiMasking');
      for (const text of [...secrets, '4111111111111111', 'token=abc'])
        assert.ok(!asked.includes(text), `${text} has left the page`);
    }),
  );

  it(
    'is masked from the moment that piiMasking is set, and lacks personal data until the masking rules are loaded',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/ERR_FAILED|masking\.js/);
      const { sent } = watchFrames(page);
      await openFull(page, {});
      const { open, ask } = widgetOn(page);
      await open();
      await page.route(/masking\.js/, (route) => route.abort());
      const failed = page.waitForEvent('requestfailed');
      await page.evaluate('updateAssistant({ piiMasking: true })');
      await failed;
      await ask('How do I install it? I am ana@b.example, +49 30 1234567.');
      const first = JSON.stringify(sent);
      for (const text of [...personal, ...secrets, '1234567'])
        assert.ok(!first.includes(text), `${text} has left the page`);
      assert.ok(first.includes('How do I install it? I am […]'));
      await page.unroute(/masking\.js/);
      await ask('And error 404 on Windows? I am ana@b.example.');
      assert.ok(JSON.stringify(sent).includes('And error 404 on Windows? I am [email].'));
    }),
  );

  it(
    'is masked if piiMasking is set while the panel loads',
    visiting(async ({ page }) => {
      const { sent } = watchFrames(page);
      await openFull(page, {});
      const loaded = page.waitForResponse(/masking\.js/);
      await page.evaluate('Assistant.open(); updateAssistant({ piiMasking: true })');
      await (await loaded).finished();
      await askOn(page);
      const asked = JSON.stringify(sent);
      assert.ok(asked.includes('I am [email], [iban].'), asked);
      for (const text of personal) assert.ok(!asked.includes(text), `${text} has left the page`);
    }),
  );

  it(
    'goes to apiUrl, and to wsUrl by WebSocket, wherever the script comes from',
    visiting(async ({ page }) => {
      const [service, sockets] = [await openGate(world.test.url), await openGate(world.test.url)];
      try {
        const attributes = {
          'api-url': service.url,
          'ws-url': `${sockets.url.replace('http', 'ws')}/widget/ws`,
        };
        await page.goto(world.put('/', { attributes }));
        const { open, ask } = widgetOn(page);
        await open();
        await ask(question);
        assert.ok(world.gate.requests.every((one) => /^GET \/widget\/v1\/[\w-]+\.js/.test(one)));
        assert.ok(service.requests.includes('GET /widget/config'));
        assert.ok(service.requests.every((one) => !one.startsWith('WS')));
        assert.deepEqual(sockets.requests, ['WS /widget/ws']);
      } finally {
        await Promise.all([service.close(), sockets.close()]);
      }
    }),
  );

  it(
    'belongs to a visitor if getUserToken returns null, and nothing of the previous user is shown',
    visiting(async ({ page }) => {
      const { open, ask, log, questions } = widgetOn(page);
      const start = async (token: string | null) => {
        await page.goto(world.put('/', { attributes: { 'api-key': undefined } }));
        await page.evaluate(`initAssistant({ apiKey: ${JSON.stringify(world.key.key.key)},
          getUserToken: async () => ${JSON.stringify(token)} })`);
        await open();
      };
      const { sent } = watchFrames(page);
      await start(await addUserToken(world.test, world.key, { externalId: 'lea' }));
      await ask(question);
      await start(null);
      await log.getByText('Hello! How can I help?').waitFor();
      assert.equal(await questions.count(), 0);
      await ask(question);
      const hellos = sent.flatMap((frame) => (frame.type === 'hello' ? [frame] : []));
      assert.ok(hellos[0]?.userToken);
      assert.equal(hellos.at(-1)?.userToken, undefined);
      assert.ok(hellos.at(-1)?.visitorToken);
    }),
  );
});
