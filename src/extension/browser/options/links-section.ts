import { button, element } from '../../../chat/dom/element.js';
import { failureOf } from '../texts/failure-of.js';
import type { AccountLink } from '../messages.js';
import { nameOf } from '../service/links.js';
import { ServiceError } from '../service/service.js';
import type { OptionsContext } from './options-context.js';

/** The linked accounts on sites, each with a button to unlink it. */
export function linksSection({ service, texts, language, say, fail }: OptionsContext): HTMLElement {
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
    const { id, app_name: app, linked_at } = link;
    const since = new Date(linked_at).toLocaleDateString(language, { dateStyle: 'medium' });
    const who = element(
      'span',
      {},
      texts.linkedAs(nameOf(link), app),
      ' ',
      element('small', {}, texts.linkSince(since)),
    );
    const keep = (): void => {
      item.replaceChildren(who, unlink);
      unlink.focus();
    };
    const back = button('', keep, [texts.cancel]);
    const said = element('p', { class: 'bad', role: 'alert' });
    const sure = button('danger', () => void remove(), [texts.unlink]);
    const ask = (): void => {
      item.replaceChildren(
        element(
          'div',
          { class: 'question', role: 'group', 'aria-label': texts.unlinkQuestion(app) },
          element('p', {}, element('strong', {}, texts.unlinkQuestion(app))),
          element('p', { class: 'muted' }, texts.unlinkNote),
          element('div', { class: 'buttons' }, sure, back),
          said,
        ),
      );
      back.focus();
    };
    const remove = async (): Promise<void> => {
      say('');
      sure.disabled = true;
      try {
        await service.json('DELETE', `/api/account-links/${id}`);
      } catch (error) {
        const code = error instanceof ServiceError ? error.code : 'offline';
        sure.disabled = false;
        // A link that is already gone is the wanted result.
        if (code !== 'not_found') {
          fail(said, failureOf(texts, code));
          return;
        }
      }
      await fill();
      say(texts.unlinked(app));
    };
    const unlink = button('', ask, [texts.unlink]);
    unlink.ariaLabel = texts.unlinkFrom(app);
    const item = element('li', {}, who, unlink);
    return item;
  }

  void fill();
  return element('section', {}, element('h2', {}, texts.links), list);
}
