import { element } from '../../../widget/browser/view/element.js';
import { accountSection } from '../options/account-section.js';
import type { OptionsContext } from '../options/options-context.js';
import { serverSection } from '../options/server-section.js';
import { pageBar, settingsButton } from '../page-bar.js';
import type { ExtensionTexts } from '../texts/texts.js';

/** What stands in the panel before it can be used: what the extension does, and the next thing that it needs. */
export function welcome(
  context: OptionsContext,
  server: string | undefined,
  status: HTMLElement,
): HTMLElement[] {
  const { texts } = context;
  const host = server === undefined ? texts.setUp : new URL(server).host;
  return [
    element('header', { class: 'top' }, pageBar(texts, host, settingsButton(texts))),
    element(
      'main',
      { class: 'options welcome' },
      server === undefined ? promises(texts) : element('p', {}, texts.signedOut),
      status,
      server === undefined ? serverSection(context, server) : accountSection(context, undefined),
    ),
  ];
}

function promises({ promises }: ExtensionTexts): HTMLElement {
  return element('ul', {}, ...promises.map((one) => element('li', {}, one)));
}
