import { button, element } from '../../../chat/dom/element.js';
import type { ExtensionTexts } from '../texts/texts.js';

/**
 * The bar on each page of the extension: its name, and below it the account or the page's title. In the side
 * panel, the browser already shows the extension's icon, so a bar with an `action` has none.
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
