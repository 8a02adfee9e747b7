import { element } from '../../../chat/dom/element.js';
import { accountSection } from '../options/account-section.js';
import type { OptionsContext } from '../options/options-context.js';
import { serverSection } from '../options/server-section.js';
import { pageBar, settingsButton } from '../options/page-bar.js';

/** The panel before it can be used: what the extension does, and the next step of its set-up. */
export function welcome(
  context: OptionsContext,
  server: string | undefined,
  status: HTMLElement,
): HTMLElement[] {
  const { texts } = context;
  const detail = server === undefined ? '' : new URL(server).host;
  return [
    element('header', { class: 'top' }, pageBar(texts, detail, settingsButton(texts))),
    element(
      'main',
      { class: 'options welcome' },
      element('h2', {}, server === undefined ? texts.setUp : texts.signIn),
      server === undefined
        ? element('ul', {}, ...texts.promises.map((one) => element('li', {}, one)))
        : element('p', {}, texts.signedOut),
      status,
      server === undefined ? serverSection(context, server) : accountSection(context, undefined),
    ),
  ];
}
