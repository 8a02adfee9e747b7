import { button, element } from '../../../chat/dom/element.js';
import { forgetSite, grantedSites, isFixed } from '../worker/sites.js';
import type { OptionsContext } from './options-context.js';

/** The sites that the extension was allowed to see, each to be taken back where the user may. */
export function sitesSection({ texts }: OptionsContext): HTMLElement {
  const list = element('div', {});
  async function fill(): Promise<void> {
    const sites = await grantedSites();
    const row = (pattern: string) => {
      const site = pattern.replace(/\/\*$/, '');
      const name = element('span', {}, site);
      if (isFixed(pattern)) return element('li', {}, name, element('small', {}, texts.fixedSite));
      const remove = button('', () => void forgetSite(pattern).catch(fill), [texts.forget]);
      remove.ariaLabel = texts.forgetSite(site);
      return element('li', {}, name, remove);
    };
    list.replaceChildren(
      sites.length === 0
        ? element('p', {}, texts.noSites)
        : element('ul', { class: 'rows' }, ...sites.map(row)),
    );
  }
  void fill();
  for (const change of [chrome.permissions.onAdded, chrome.permissions.onRemoved]) {
    change.addListener(() => void fill());
  }
  return element(
    'section',
    {},
    element('h2', {}, texts.sites),
    element('p', { class: 'muted' }, texts.sitesNote),
    list,
  );
}
