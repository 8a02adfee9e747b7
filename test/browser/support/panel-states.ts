import assert from 'node:assert/strict';
import { accessibilityFaults } from './accessibility.js';
import type { HostSite } from './host-site.js';
import { openStage, openStageSite, putStagePage } from './view-stage.js';
import { describeInBrowser, visiting } from './visiting.js';

/** Resolves when all finite animations have ended. The dots of a waiting answer never end. */
export const settled = `Promise.all(stage.root.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations === 1)
  .map((one) => one.finished)).then(() => undefined)`;

/** Has axe-core look at every state of the panel, in each of the themes. */
export function describeStates(themes: readonly ('light' | 'dark' | 'host')[]): void {
  describeInBrowser(`The panel of the widget in every state, ${themes.join(' and ')}`, () => {
    let site: HostSite;
    before(async () => {
      site = await openStageSite();
      const green =
        'html { color-scheme: dark } body { background: #10241b; color: #e3efe6 } button { background: #7be0a5; color: #062 }';
      putStagePage(site, '/green', `<style>${green}</style>`);
    });
    after(() => site.close());

    for (const theme of themes)
      for (const [state, script] of states)
        it(
          `passes axe-core with ${state}, ${theme}`,
          visiting(async ({ page }) => {
            await openStage(page, site, {
              options: { theme },
              path: theme === 'host' ? '/green' : '/',
            });
            await page.evaluate(script);
            await page.evaluate(settled);
            assert.deepEqual(await accessibilityFaults(page), []);
          }),
        );
  });
}

const states: [string, string][] = [
  ['an empty conversation', ''],
  [
    'a long title, and the name of who is signed in',
    `stage.update({ theme: stage.root.host.dataset.theme, title: 'Kundendienst '.repeat(9) }); stage.set({ identity: { kind: 'end_user', displayName: 'Ada '.repeat(30) }, suggestions: [] })`,
  ],
  ['a conversation that is being loaded', 'stage.set({ restoring: true })'],
  [
    'a page where it is not available',
    `console.error = () => {}; stage.set({ refused: { code: 'origin_not_allowed', message: '' } })`,
  ],
  [
    'too many questions, and no connection',
    `stage.set({ connection: 'offline', messages: [stage.question('How?', { status: 'failed', error: { code: 'rate_limited', message: '', retryAfter: 42 } })] })`,
  ],
  [
    'an answer with all its parts',
    `stage.set({ notifications: [{ id: 1, isAnswer: true, question: 'Q', response: 'A', createdAt: '', read: false }], messages: [stage.question('How?'), stage.answer('', { status: 'waiting' })] });
     stage.finish('Do *this* [1].\\n\\n> quoted\\n\\n\`\`\`js\\ncode\\n\`\`\`\\n\\nSee [it](https://x.example). Gift cards.', ['Orders', 'Refunds'], { canRequest: true, unsupported: [{ from: 0, to: 14 }] });
     for (const one of stage.root.querySelectorAll('details')) one.open = true;`,
  ],
  [
    'an answer that was stopped, and an invalid e-mail address',
    `stage.set({ messages: [stage.question('How?'), stage.answer('Some of it', { status: 'incomplete',
       error: { code: 'cancelled', message: '' }, reply: stage.reply('Some of it', [], { canRequest: true, found: false }) })] });
     new Promise((done) => setTimeout(done)).then(() => {
       stage.root.querySelector('.answer .below > .plain').click();
       const email = stage.root.querySelector('.answer [type=email]');
       email.value = 'ada';
       email.form.requestSubmit();
     })`,
  ],
  [
    'the feedback form of an answer',
    `stage.set({ messages: [stage.question('How?'), stage.answer('So.', { rating: 'down', reply: stage.reply('So.', ['Orders']) })] });
     new Promise((done) => setTimeout(done)).then(() => { const { root } = stage; root.querySelector('.card .chip').click(); root.querySelector('.answer .below > .plain').click(); })`,
  ],
  [
    'a conversation that is about to be deleted',
    `stage.root.querySelector('.menu').click(); stage.root.querySelectorAll('.popup button')[1].click();
     new Promise((done) => setTimeout(done)).then(() => stage.root.querySelector('.item .quiet').click())`,
  ],
  [
    'waiting and failed questions',
    `stage.set({ connection: 'reconnecting', messages: [stage.question('A', { status: 'failed', error: { code: 'timeout', message: 'x' } }), stage.question('B', { status: 'queued' }), stage.answer('', { status: 'waiting' })] })`,
  ],
  [
    'the sign-in form',
    `stage.root.querySelector('.menu').click(); [...stage.root.querySelectorAll('.popup button')].at(-1).click()`,
  ],
];
