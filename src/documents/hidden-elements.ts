import type { HiddenReason } from '../pdf/layout/page.js';
import type { Element } from './tree.js';

/** Elements whose content is no text of the document. */
export const withoutText = new Set([
  ...['script', 'style', 'template', 'noscript', 'head', 'title', 'meta', 'link', 'base'],
  ...['iframe', 'object', 'embed', 'applet', 'canvas', 'svg', 'audio', 'video', 'map', 'frameset'],
  ...['button', 'select', 'textarea', 'datalist', 'input', 'progress', 'meter', 'dialog'],
  ...['rp', 'rt', 'colgroup', 'col', 'portal', 'noframes'],
]);

/** Text for screen readers alone repeats what others see: "(opens in a new tab)". */
const forScreenReaders =
  /^(?:sr-only|visually-?hidden|screen-reader-text|skip-?(?:link|nav|to).*)$/i;

export function isForScreenReaders({ attributes }: Element): boolean {
  return (attributes['class'] ?? '').split(/\s+/).some((name) => forScreenReaders.test(name));
}

const paper =
  /^(?:white|#fff(?:fff)?|transparent|rgba?\(\s*255\s*,\s*255\s*,\s*255(?:\s*,[^)]*)?\)|rgba\([^)]*,\s*0\s*\))$/i;

/** Set on elements where something may have painted the ground, so that white text may be seen. */
const grounded = '#grounded';

/** Notes where the ground may have a colour: an element says so, or has a class, which a style sheet may paint. */
export function noteGrounds(element: Element, isGrounded = false): void {
  const { attributes } = element;
  const style = stylesOf(attributes['style']);
  const ground = style.get('background-color') ?? style.get('background') ?? attributes['bgcolor'];
  const isPainted =
    (ground !== undefined && !paper.test(ground)) || attributes['background'] !== undefined;
  const isNow = isGrounded || isPainted || attributes['class'] !== undefined;
  if (isNow) attributes[grounded] = '';
  for (const child of element.children) {
    if (typeof child !== 'string') noteGrounds(child, isNow);
  }
}

/** Why nobody sees the text of an element on its page, as far as the element itself says; undefined for other text. */
export function whyHidden({ attributes, name }: Element): HiddenReason | undefined {
  if (attributes['hidden'] !== undefined && attributes['hidden'] !== 'until-found')
    return 'invisible';
  const style = stylesOf(attributes['style']);
  if (style.get('display') === 'none') return 'invisible';
  if (/^(?:hidden|collapse)$/.test(style.get('visibility') ?? '')) return 'invisible';
  if (/^0(?:\.0+)?%?$/.test(style.get('opacity') ?? '')) return 'invisible';
  const size = /^([\d.]+)(px|pt|em|rem|%)?$/.exec(style.get('font-size') ?? '');
  if (size !== null && Number(size[1]) * (scales[size[2] ?? ''] ?? 1) < 2) return 'tiny';
  if (isFarOff(style)) return 'off_page';
  const color = style.get('color') ?? (name === 'font' ? attributes['color'] : undefined);
  const ground = style.get('background-color') ?? style.get('background');
  const isOnPaper =
    attributes[grounded] === undefined && (ground === undefined || paper.test(ground));
  return color !== undefined && paper.test(color) && isOnPaper ? 'colour' : undefined;
}

/** Points, roughly. */
const scales: Record<string, number> = { px: 0.75, pt: 1, em: 12, rem: 12, '%': 0.12 };

function isFarOff(style: ReadonlyMap<string, string>): boolean {
  const isFar = (value: string | undefined) => /^-\d{3,}/.test(value ?? '');
  if (isFar(style.get('text-indent'))) return true;
  const isPlaced = /^(?:absolute|fixed)$/.test(style.get('position') ?? '');
  return isPlaced && ['left', 'top', 'right', 'bottom'].some((side) => isFar(style.get(side)));
}

function stylesOf(style: string | undefined): Map<string, string> {
  const found = new Map<string, string>();
  if (style === undefined) return found;
  for (const rule of style.split(';')) {
    const at = rule.indexOf(':');
    if (at < 0) continue;
    const value = rule
      .slice(at + 1)
      .replace(/!\s*important/i, '')
      .trim()
      .toLowerCase();
    found.set(rule.slice(0, at).trim().toLowerCase(), value);
  }
  return found;
}
