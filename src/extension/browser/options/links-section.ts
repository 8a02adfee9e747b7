import { button, element } from '../../../widget/browser/view/element.js';
import { failureOf } from '../texts/failure-of.js';
import type { AccountLink } from '../service/links.js';
import { ServiceError } from '../service/service.js';
import type { OptionsContext } from './options-context.js';

/** The sites' accounts that are linked with the user's, each to be unlinked. */
export function linksSection({ service, texts, language, say }: OptionsContext): HTMLElement {
  const list = element('div', {}, element('p', {}, texts.loading));

  async function fill(): Promise<void> {
    try {
      const path = '/api/account-links?limit=100';
      const { data } = await service.json<{ data: AccountLink[] }>('GET', path);
      const none = element('p', {}, texts.noLinks);
      list.replaceChildren(
        data.length === 0 ? none : element('ul', { class: 'rows' }, ...data.map(row)),
      );
    } catch (error) {
      const code = error instanceof ServiceError ? error.code : 'offline';
      list.replaceChildren(element('p', { class: 'bad' }, failureOf(texts, code)));
    }
  }

  function row(link: AccountLink): HTMLElement {
    const { id, app_name: app, display_name, email, external_id, linked_at } = link;
    const since = new Date(linked_at).toLocaleDateString(language, { dateStyle: 'medium' });
    const who = element(
      'span',
      {},
      texts.linkedAs(display_name ?? email ?? external_id, app),
      ' ',
      element('small', {}, texts.linkSince(since)),
    );
    const keep = (): void => {
      item.replaceChildren(who, unlink);
      unlink.focus();
    };
    const back = button('', keep, [texts.cancel]);
    const sure = button('main', () => void remove(id), [texts.unlink]);
    const question = element('p', {}, texts.unlinkQuestion(app));
    const ask = (): void => {
      const choice = element('div', { class: 'buttons' }, sure, back);
      const group = element('div', { role: 'group', 'aria-label': texts.unlinkFrom(app) });
      group.append(question, choice);
      item.replaceChildren(group);
      back.focus();
    };
    const unlink = button('', ask, [texts.unlink]);
    unlink.ariaLabel = texts.unlinkFrom(app);
    const item = element('li', {}, who, unlink);
    return item;
  }

  async function remove(id: number): Promise<void> {
    say('');
    // What is not there any more is what was wanted.
    await service.json('DELETE', `/api/account-links/${id}`).catch(() => undefined);
    await fill();
  }

  void fill();
  return element('section', {}, element('h2', {}, texts.links), list);
}
