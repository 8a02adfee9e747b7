import { button, element } from '../../../widget/browser/view/element.js';
import type { ExtensionTexts } from '../texts/texts.js';

/** What stands in the panel before it can be used, with the way to what is missing. */
export function welcome(texts: ExtensionTexts, missing: string): HTMLElement {
  const open = () => void chrome.runtime.openOptionsPage();
  return element(
    'main',
    { class: 'known' },
    element('h1', {}, texts.name),
    element('p', {}, missing),
    button('main', open, [texts.openSettings]),
  );
}
