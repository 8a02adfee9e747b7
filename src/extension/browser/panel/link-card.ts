import { button, element } from '../../../chat/dom/element.js';
import type { LinkMessage, LinkReply } from '../messages.js';
import type { ExtensionTexts } from '../texts/texts.js';

export interface LinkOffer {
  tabId: number;
  origin: string;
  host: string;
  widgetKey: string;
  email: string;
  /** The name of the key's app; undefined when it is not of the organization. */
  app: string | undefined;
  /** Why no link is offered. */
  obstacle: string | undefined;
}

export interface LinkHooks {
  onLinked: () => void;
  onDismiss: () => void;
}

/**
 * The card on which the user decides: the site, the account, and the effects. Nothing was requested from the site
 * before; only its token, which the service reads, says who the user is there.
 */
export function linkCard(texts: ExtensionTexts, offer: LinkOffer, hooks: LinkHooks): HTMLElement {
  const { tabId, origin, host, widgetKey, email, app, obstacle } = offer;
  const said = element('p', { class: 'said', role: 'alert' });
  const fact = (name: string, value: string) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value));
  const link = button('main', () => void confirm(), [texts.link]);
  const later = button('plain', hooks.onDismiss, [texts.notNow]);
  const say = (text: string, isBad: boolean): void => {
    said.classList.toggle('bad', isBad);
    said.textContent = text;
  };

  async function confirm(): Promise<void> {
    link.disabled = later.disabled = true;
    say(texts.linking, false);
    const message: LinkMessage = { type: 'link', tabId, origin, widgetKey };
    const reply = await chrome.runtime
      .sendMessage<LinkMessage, LinkReply>(message)
      .catch((): LinkReply => ({ refused: 'offline' }));
    link.disabled = later.disabled = false;
    if ('link' in reply) {
      hooks.onLinked();
      return;
    }
    say('problem' in reply ? texts.problems[reply.problem] : refusal(reply.refused), true);
    link.focus();
  }

  function refusal(code: string): string {
    if (code === 'other_site') return texts.linkUnregistered;
    if (code === 'already_linked') return texts.alreadyLinked;
    if (code === 'offline') return texts.unreachable;
    return code === 'signed_out' ? texts.signedOut : texts.notVerified;
  }

  return element(
    'section',
    { class: 'card', 'aria-label': texts.linkTitle(host) },
    element('h2', {}, texts.linkTitle(host)),
    element(
      'dl',
      {},
      fact(texts.linkSite, origin),
      app !== undefined && fact(texts.linkApp, app),
      fact(texts.linkAccount, email),
    ),
    obstacle === undefined
      ? element('ul', {}, ...texts.linkConsequences.map((one) => element('li', {}, one)))
      : element('p', { class: 'bad' }, obstacle),
    element(
      'div',
      { class: 'choice' },
      said,
      element('div', { class: 'buttons' }, obstacle === undefined && link, later),
    ),
  );
}
