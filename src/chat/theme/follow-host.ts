import { hex } from './contrast.js';
import { createColorParser, readColors } from './read-colors.js';
import { systemDark } from './system-dark.js';

/** The page's colours and font as CSS values; every pair of colours is legible. */
export interface HostColors {
  dark: boolean;
  accent: string;
  'on-accent': string;
  background: string;
  text: string;
  font: string;
}

/**
 * Calls `show` with the page's colours and font, at once and after each change, at most once per frame. Returns a
 * function that ends this.
 */
export function followHost(show: (colors: HostColors) => void): () => void {
  const parse = createColorParser();
  let frame = 0;
  const observer = new MutationObserver(() => later());
  /** A theme changes by an attribute on the root, body or filling element, or by another style sheet in the head. */
  const observe = (ground: Element): void => {
    const { documentElement: root, head } = document;
    observer.observe(root, { attributes: true, childList: true });
    for (const element of [ground, ...root.querySelectorAll(':scope > body')]) {
      observer.observe(element, { attributes: true });
    }
    observer.observe(head, { childList: true, characterData: true, subtree: true });
  };
  const read = (): void => {
    frame = 0;
    const { ground, dark, font, accent, onAccent, background, text } = readColors(parse);
    observe(ground);
    show({
      dark,
      font,
      accent: hex(accent),
      'on-accent': hex(onAccent),
      background: hex(background),
      text: hex(text),
    });
  };
  const later = (): void => {
    frame ||= requestAnimationFrame(read);
  };

  const listening = new AbortController();
  const { signal } = listening;
  for (const [target, type] of [
    [systemDark(), 'change'],
    // A style sheet takes effect only once it is loaded.
    [document.head, 'load'],
    [window, 'load'],
    // During a transition, colours are first read half-way.
    [document, 'transitionend'],
  ] as const) {
    const changed = (event: Event): void => {
      if (!('propertyName' in event) || String(event.propertyName).includes('color')) later();
    };
    target.addEventListener(type, changed, { capture: true, signal });
  }
  read();
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
    listening.abort();
  };
}
