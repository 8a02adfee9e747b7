import { readPage } from '../../../chat/page/read-page.js';
import { redactAddress } from '../../../platform/text/redact-address.js';
import type {
  Declaration,
  BannerReply,
  DeclaredToken,
  Look,
  PageMessage,
  TabMessage,
} from '../messages.js';
import { showBanner, type Banner } from './banner.js';
import { readDeclaration, watchDeclaration } from './declaration.js';
import { endpointOf, fetchToken } from './fetch-token.js';

/*
 * The content script: it reads the page's declaration, shows the banner and answers the extension. It listens to no
 * message of the page, holds no credentials, and does not know the service's address.
 */

/** How long the banner must be visible to count as seen, in milliseconds. */
const sightMs = 3000;
/** The most declarations of one page that are reported. */
const mostDeclared = 5;

/** A second run in the same page does nothing, unless the extension was updated. */
const world = globalThis as { assistantIsHere?: () => boolean };

function isAlive(): boolean {
  // Undefined after the extension was removed, although its type excludes that.
  return (chrome.runtime as Partial<typeof chrome.runtime>).id !== undefined;
}

function start(): void {
  world.assistantIsHere = isAlive;
  let banner: Banner | undefined;
  let declared = 0;
  let latest: Declaration | undefined;

  const tell = (message: PageMessage): Promise<unknown> =>
    isAlive() ? chrome.runtime.sendMessage(message).catch(() => undefined) : Promise.resolve();

  async function invite(declaration: Declaration): Promise<void> {
    const { widgetKey } = declaration;
    const reply = (await tell({ type: 'declared', widgetKey })) as BannerReply;
    if (!reply || latest !== declaration) return;
    const seen = () => void tell({ type: 'seen' });
    const shown = showBanner(reply.texts, reply.language, {
      onOpen() {
        void tell({ type: 'open-panel' });
        seen();
      },
      onDismiss: seen,
    });
    banner = shown;
    whenSeen(seen);
  }

  chrome.runtime.onMessage.addListener((message: TabMessage, sender, reply) => {
    if (sender.id !== chrome.runtime.id) return false;
    switch (message.type) {
      case 'look':
        reply(look());
        return false;
      case 'read-page':
        reply(readPage({ given: null }));
        return false;
      case 'read-token':
        void readToken(message).then(reply);
        return true;
    }
  });

  watchDeclaration((declaration) => {
    latest = declaration;
    banner?.remove();
    banner = undefined;
    if (declared >= mostDeclared) return;
    void tell({ type: 'changed' });
    // Do not offer a link that can't be made.
    if (!declaration || 'problem' in endpointOf(declaration.tokenEndpoint, location.href)) return;
    declared += 1;
    void invite(declaration);
  });
}

function look(): Look {
  return {
    url: redactAddress(location.href),
    title: document.title.slice(0, 1000),
    declaration: readDeclaration(),
  };
}

/** The page's token, if the page is still as the user confirmed it. */
async function readToken(confirmed: { origin: string; widgetKey: string }): Promise<DeclaredToken> {
  const declaration = readDeclaration();
  const isSame =
    location.origin === confirmed.origin && declaration?.widgetKey === confirmed.widgetKey;
  if (!isSame) return { problem: 'changed' };
  const { tokenEndpoint, session } = declaration;
  const fetched = await fetchToken(tokenEndpoint, location.href);
  return 'problem' in fetched || session === undefined ? fetched : { ...fetched, session };
}

/** Calls back once the page has been visible for a while. */
function whenSeen(seen: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = (): void => {
    clearTimeout(timer);
    if (document.visibilityState !== 'visible') return;
    timer = setTimeout(() => {
      document.removeEventListener('visibilitychange', update);
      seen();
    }, sightMs);
  };
  document.addEventListener('visibilitychange', update);
  update();
}

if (window === window.top && !world.assistantIsHere?.()) start();
