import { button, element } from '../../../chat/dom/element.js';
import type { ExtensionTexts } from '../texts/texts.js';

/**
 * What stands at the top of each of the extension's own pages: its name, and below it who is signed in or which page
 * this is. Beside a page the browser itself shows the extension's icon: there the only one is that of the `action`.
 */
export function pageBar(
  texts: ExtensionTexts,
  detail: string | HTMLElement,
  ...action: HTMLElement[]
): HTMLElement {
  return element(
    'div',
    { class: 'bar' },
    action.length === 0 && element('img', { src: 'icons/48.png', alt: '' }),
    element('div', { class: 'name' }, element('h1', {}, texts.name), detailLine(detail)),
    ...action,
  );
}

function detailLine(detail: string | HTMLElement): HTMLElement {
  return typeof detail === 'string'
    ? element('p', { class: 'muted', title: detail }, detail)
    : detail;
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
