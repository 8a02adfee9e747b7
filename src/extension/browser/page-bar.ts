import { button, element } from '../../widget/browser/view/element.js';
import type { ExtensionTexts } from './texts/texts.js';

/**
 * What stands at the top of each of the extension's own pages: its name, and below it who is signed in or which page
 * this is. The settings themselves need no way to them.
 */
export function pageBar(texts: ExtensionTexts, detail: string, action?: HTMLElement): HTMLElement {
  return element(
    'div',
    { class: 'bar' },
    element('img', { src: 'icons/48.png', alt: '' }),
    element(
      'div',
      { class: 'name' },
      element('h1', {}, texts.name),
      element('p', { class: 'muted', title: detail }, detail),
    ),
    action,
  );
}

export function settingsButton({ settings }: ExtensionTexts): HTMLButtonElement {
  return button('icon', () => void chrome.runtime.openOptionsPage(), [sliders()], settings);
}

function sliders(): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.ariaHidden = 'true';
  const path = document.createElementNS(space, 'path');
  path.setAttribute(
    'd',
    'M3 7h9m6 0h3M3 17h3m6 0h9M12 7a3 3 0 1 0 6 0 3 3 0 1 0-6 0M6 17a3 3 0 1 0 6 0 3 3 0 1 0-6 0',
  );
  svg.append(path);
  return svg;
}
