import type { WidgetLanguage } from '../../../chat/api-types.js';
import { openBrowserHost } from '../../../chat/connection/open-browser-host.js';
import { element, setText } from '../../../chat/dom/element.js';
import type { PageName } from '../../../chat/view/view-context.js';
import { openStatus, type OptionsContext } from '../options/options-context.js';
import { openServiceOfPage } from '../service/open-service.js';
import type { Account } from '../service/service.js';
import { onStored, readSettings, type Settings } from '../service/settings.js';
import { readAccount, recall, remember } from '../service/vault.js';
import { followTab, windowOf } from '../tab/follow-tab.js';
import { pageContext } from '../tab/page-context.js';
import { failureOf } from '../texts/failure-of.js';
import { languageOf } from '../texts/language-of.js';
import { extensionTextsOf } from '../texts/texts-of.js';
import { isRecognised, recognise } from '../worker/sites.js';
import { accountMenu, panelHead, type Side } from './panel-head.js';
import { createLinkOffer } from './link-offer.js';
import { mountChat } from './mount-chat.js';
import { createKnowledge } from './know-page.js';
import { pageView } from './page-view.js';
import { createApiSession } from './session.js';
import { seePage, type SeenPage } from './watch-page.js';
import { accountSection } from '../options/account-section.js';
import { serverSection } from '../options/server-section.js';
import { pageBar, settingsButton } from '../options/page-bar.js';

/* The side panel: facts about the page beside it, and the chat. */

const service = openServiceOfPage();
const windowId = windowOf(location.search);
const kept = 'conversation';
/** The interval of checks for news, in milliseconds. */
const newsMs = 20_000;

/** The number of the latest look at the page. The result of an older one is ignored. */
let looks = 0;
let end = (): void => undefined;
let shownFor = '';
/** Shown after a saved change has rebuilt the panel. */
const status = openStatus();

/** Rebuilds the panel after a change of account, service or language. */
async function show(): Promise<void> {
  const [settings, account, conversation] = await Promise.all([
    readSettings(),
    readAccount(),
    recall(kept),
  ]);
  const now = JSON.stringify([settings, account?.user]);
  if (now === shownFor) return;
  shownFor = now;
  end();
  const language = languageOf(settings.language);
  const texts = extensionTextsOf(language);
  document.documentElement.lang = language;
  document.title = texts.name;
  if (settings.server === undefined || account === undefined) {
    const context = { service, texts, language, ...status };
    document.body.replaceChildren(...welcome(context, settings.server, status.node));
    document.querySelector('input')?.focus();
    end = lookAgain = () => undefined;
    return;
  }
  const id = typeof conversation === 'string' ? conversation : undefined;
  end = showFor(account, settings, settings.server, id);
}

function showFor(
  account: Account,
  settings: Settings,
  server: string,
  id: string | undefined,
): () => void {
  const language = languageOf(settings.language);
  const texts = extensionTextsOf(language);
  status.say('');
  const { know, session } = openSession(account, language, server, id);
  const chat = mountChat(session, language, texts.quota);
  const { email } = account.user;
  const go = (page: PageName): void => {
    choose('chat');
    chat.go(page);
  };
  const menu = accountMenu({ ...chat.context, go }, texts, email);
  const head = panelHead(texts, email, menu, choose);
  const beside = element('div', { class: 'beside', hidden: true });
  const notice = element('p', { class: 'notice bad', role: 'alert', hidden: true });
  const offer = createLinkOffer(texts, email, {
    showLink: (link) => head.showLink(link),
    onLinked: () => void look(),
  });
  head.node.append(notice, offer.node);
  document.body.replaceChildren(head.node, beside);
  // The chat begins below the head.
  const observer = new ResizeObserver(() => {
    document.documentElement.style.setProperty('--head', `${head.node.offsetHeight}px`);
  });
  observer.observe(head.node);

  let known = '';
  let isLost = false;
  let page: Extract<SeenPage, { kind: 'page' }> | undefined;

  /** Opens a source of the site beside the panel in its tab, as the widget does. */
  const follow = (event: MouseEvent): void => {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (page === undefined || link?.origin !== page.origin) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void chrome.tabs.update(page.tabId, { url: link.href });
  };
  document.addEventListener('click', follow);

  function choose(side: Side): void {
    offer.goOn();
    head.choose(side);
    beside.hidden = side === 'chat';
    if (side === 'chat') chat.open();
    else chat.close();
  }

  async function look(): Promise<void> {
    looks += 1;
    const mine = looks;
    const seen = await seePage(know, windowId);
    if (mine !== looks || end !== stop) return;
    page = seen.kind === 'page' ? seen : undefined;
    const pattern = seen.kind === 'page' ? `${seen.origin}/*` : undefined;
    const isGranted = pattern === undefined || (await isRecognised(pattern));
    const allow = isGranted ? undefined : () => void recognise(pattern, settings);
    const facts = seen.kind === 'page' && [seen.host, seen.isOwn, seen.entries, isGranted];
    const now = JSON.stringify([seen.kind, seen.kind === 'failed' ? seen.error.code : facts]);
    // Unchanged content stays: expanded, scrolled and focused.
    if (now !== known) {
      beside.replaceChildren(pageView(texts, seen, () => void look(), allow));
      // The session makes the first request by itself.
      if (known !== '') session.suggest();
    }
    known = now;
    offer.show(seen);
    if (isLost && seen.kind === 'page') catchUp();
    isLost = seen.kind === 'failed';
    showFailure(seen.kind === 'failed' ? seen.error.code : undefined);
  }

  function showFailure(code: string | undefined): void {
    notice.hidden = code === undefined;
    setText(notice, code === undefined ? '' : failureOf(texts, code));
  }

  const unsubscribe = session.subscribe(({ messages }, last) => {
    if (messages !== last.messages) offer.goOn();
  });
  /** The panel receives no push messages, so it polls. */
  const catchUp = (): void => {
    if (document.visibilityState !== 'visible') return;
    // On the side with page facts, only the menu shows news.
    if (beside.hidden) session.setVisible(true);
    else session.start();
  };
  document.addEventListener('visibilitychange', catchUp);
  const timer = setInterval(catchUp, newsMs);
  const stop = (): void => {
    document.removeEventListener('visibilitychange', catchUp);
    document.removeEventListener('click', follow);
    unsubscribe();
    menu.end();
    observer.disconnect();
    clearInterval(timer);
    session.destroy();
    chat.destroy();
  };
  choose('chat');
  beside.append(element('main', { class: 'known' }, element('p', {}, texts.loading)));
  lookAgain = () => void look();
  void Promise.resolve().then(look);
  return stop;
}

/** Creates the chat's session and what limits which pages it may read. */
function openSession(
  account: Account,
  language: WidgetLanguage,
  server: string,
  id: string | undefined,
) {
  const { know, isOwn } = createKnowledge(service, language);
  const context = () => pageContext(windowId, server, isOwn);
  const session = createApiSession({
    service,
    server,
    user: account.user,
    language: () => language,
    host: openBrowserHost(),
    context,
    async address() {
      const { url } = await context();
      return url === server ? undefined : url;
    },
    kept: { id, keep: (next) => void remember(kept, next ?? null) },
  });
  return { know, session };
}

let lookAgain = (): void => undefined;

onStored(() => void show());
followTab(windowId, () => lookAgain());
void show();

/** The panel before it can be used: what the extension does, and the next step of its set-up. */
function welcome(
  context: OptionsContext,
  server: string | undefined,
  status: HTMLElement,
): HTMLElement[] {
  const { texts } = context;
  const detail = server === undefined ? '' : new URL(server).host;
  return [
    element('header', { class: 'top' }, pageBar(texts, detail, settingsButton(texts))),
    element(
      'main',
      { class: 'options welcome' },
      element('h2', {}, server === undefined ? texts.setUp : texts.signIn),
      server === undefined
        ? element('ul', {}, ...texts.promises.map((one) => element('li', {}, one)))
        : element('p', {}, texts.signedOut),
      status,
      server === undefined ? serverSection(context, server) : accountSection(context, undefined),
    ),
  ];
}
