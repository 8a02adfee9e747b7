import { element } from './element.js';
import type { Releases } from './releases.js';

/** Long enough to be read out; afterwards whoever browses the log shall not find the text twice. */
const shownFor = 8000;

/** Says a finished message once: the log itself is silent, for it changes with each word that streams. */
export function createAnnouncer(releases: Releases) {
  const node = element('div', { class: 'sr' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  releases.add(() => clearTimeout(timer));
  return {
    node,
    say(text: string) {
      clearTimeout(timer);
      node.replaceChildren(element('p', {}, text));
      timer = setTimeout(() => node.replaceChildren(), shownFor);
    },
  };
}
