import type { Theme } from '../api-types.js';
import { hex } from './contrast.js';
import { createColorParser, readColors, systemDark } from './read-colors.js';

/**
 * Keeps a shadow host in a theme: `data-theme` is `light` or `dark`, and with `host` the custom properties `--a-accent`,
 * `--a-on-accent`, `--a-background`, `--a-text` and `--a-font` are the page's own, every pair of them legible. What
 * changes on the system or the page is followed live, once a frame at most, until `stop`.
 */
export function followTheme(
  host: HTMLElement,
  mode: Theme,
): { set(mode: Theme): void; stop(): void } {
  const system = systemDark();
  const parse = createColorParser();
  let current = mode;
  let frame = 0;

  const observer = new MutationObserver(() => later());
  /** Themes change by a mark on the root, the body or what fills the window, or by another style sheet in the head. */
  const observe = (ground: Element): void => {
    const { documentElement: root, head } = document;
    observer.observe(root, { attributes: true, childList: true });
    for (const element of [ground, ...root.querySelectorAll(':scope > body')]) {
      observer.observe(element, { attributes: true });
    }
    observer.observe(head, { childList: true, characterData: true, subtree: true });
  };

  const show = (): void => {
    frame = 0;
    const read = current === 'host' ? readColors(parse) : undefined;
    if (read) observe(read.ground);
    const dark = read?.dark ?? (current === 'dark' || (current === 'auto' && system.matches));
    host.dataset['theme'] = dark ? 'dark' : 'light';
    const values = {
      accent: read && hex(read.accent),
      'on-accent': read && hex(read.onAccent),
      background: read && hex(read.background),
      text: read && hex(read.text),
      font: read?.font,
    };
    for (const [name, value] of Object.entries(values)) {
      host.style.setProperty(`--a-${name}`, value ?? '');
    }
  };
  const later = (): void => {
    frame ||= requestAnimationFrame(show);
  };

  const listening = new AbortController();
  const { signal } = listening;
  system.addEventListener('change', later, { signal });
  const set = (next: Theme): void => {
    current = next;
    observer.disconnect();
    show();
  };
  for (const [target, type] of [
    // A style sheet that was put there by then has its effect only now.
    [document.head, 'load'],
    [window, 'load'],
    // What has a transition is read half-way at first.
    [document, 'transitionend'],
  ] as const) {
    const changed = (event: Event): void => {
      const colours = !('propertyName' in event) || String(event.propertyName).includes('color');
      if (current === 'host' && colours) later();
    };
    target.addEventListener(type, changed, { capture: true, signal });
  }
  set(mode);
  return {
    set,
    stop() {
      cancelAnimationFrame(frame);
      observer.disconnect();
      listening.abort();
    },
  };
}
