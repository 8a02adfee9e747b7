import { element } from '../../../widget/browser/view/element.js';
import { accountSection } from '../options/account-section.js';
import type { OptionsContext } from '../options/options-context.js';
import { serverSection } from '../options/server-section.js';
import type { ExtensionTexts } from '../texts/texts.js';
import { settingsButton } from './panel-head.js';

/** What stands in the panel before it can be used: what the extension does, and the next thing that it needs. */
export function welcome(
  context: OptionsContext,
  server: string | undefined,
  status: HTMLElement,
): HTMLElement {
  const { texts } = context;
  return element(
    'main',
    { class: 'options welcome' },
    element('header', {}, element('h1', {}, texts.name), settingsButton(texts)),
    server === undefined ? promises(texts) : element('p', {}, texts.signedOut),
    status,
    server === undefined ? serverSection(context, server) : accountSection(context, undefined),
  );
}

function promises({ promises }: ExtensionTexts): HTMLElement {
  return element('ul', {}, ...promises.map((one) => element('li', {}, one)));
}
