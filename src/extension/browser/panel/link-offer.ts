import { element } from '../../../chat/dom/element.js';
import { endpointOf } from '../page/fetch-token.js';
import { nameOf, type KeyLinks } from '../service/links.js';
import type { ExtensionTexts } from '../texts/texts.js';
import { linkCard } from './link-card.js';
import type { SeenPage } from './watch-page.js';

/** The offer to link the account with the site of the page. */
export interface LinkOfferView {
  node: HTMLElement;
  show(seen: SeenPage): void;
  /** The reader turns to something else: that a site was linked just now is not said any more. */
  goOn(): void;
}

export interface LinkOfferHooks {
  showLink: (link: KeyLinks['link']) => void;
  onLinked: () => void;
}

export function createLinkOffer(
  texts: ExtensionTexts,
  email: string,
  hooks: LinkOfferHooks,
): LinkOfferView {
  const node = element('div', { class: 'offer' });
  /** The site whose offer was declined, until the panel is opened again. */
  let aside: string | undefined;
  /** The site that was just linked, until the reader goes elsewhere. */
  let justLinked: string | undefined;
  let offered = '';

  function show(seen: SeenPage): void {
    const declared = seen.kind === 'page' ? seen.declaration : undefined;
    const links = seen.kind === 'page' ? seen.links : undefined;
    const state = seen.kind === 'page' ? [seen.tabId, seen.origin, declared, links] : [];
    const next = JSON.stringify([state, aside]);
    // Do not replace a card that the user is answering.
    if (next === offered) return;
    offered = next;
    // A pressed button that was disabled has lost the focus.
    const { activeElement: active, body } = document;
    const isFree = active === body || node.contains(active);
    node.replaceChildren();
    const link = links?.link;
    hooks.showLink(link);
    if (seen.kind !== 'page' || declared === undefined) return;
    const { host, origin, tabId } = seen;
    if (link !== undefined) {
      if (justLinked !== origin) return;
      const done = element(
        'p',
        { class: 'notice', tabindex: -1 },
        texts.linkedAs(nameOf(link), link.app_name),
      );
      node.append(done);
      if (isFree) done.focus();
      return;
    }
    if (aside === origin) return;
    const endpoint = endpointOf(declared.tokenEndpoint, seen.address);
    const isBad = 'problem' in endpoint;
    const obstacle = isBad ? texts.problems[endpoint.problem] : undefined;
    node.append(
      linkCard(
        texts,
        {
          tabId,
          origin,
          host,
          widgetKey: declared.widgetKey,
          email,
          app: links?.app?.name,
          obstacle: links?.isLinkable === true ? obstacle : texts.linkUnregistered,
        },
        {
          onLinked() {
            justLinked = origin;
            hooks.onLinked();
          },
          onDismiss() {
            aside = origin;
            show(seen);
          },
        },
      ),
    );
  }

  return {
    node,
    show,
    goOn() {
      if (justLinked !== undefined) node.replaceChildren();
      justLinked = undefined;
    },
  };
}
