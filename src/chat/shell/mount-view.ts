import type { Parts } from '../parts/parts.js';
import type { Session, SessionError } from '../session.js';
import { buttonTextsOf } from '../texts/button-texts.js';
import { followTheme } from '../theme/follow-theme.js';
import { runCleanup, type Cleanup, element, setAttribute } from '../dom/element.js';
import type { Panel } from '../view/panel.js';
import type { Texts } from '../texts/texts.js';
import type { WidgetLanguage } from '../api-types.js';
import type { Pages, ViewOptions } from '../view/view-context.js';
import { buttonStyles, launcher } from './launcher.js';
import { stayOnPage } from './stay-on-page.js';

export type { ViewOptions } from '../view/view-context.js';

export interface View {
  /** Moves the focus into the panel. Before `fill`, the request is remembered and done then. */
  open(): void;
  /** Returns the focus to the element that had it before. */
  close(): void;
  /** False while the page has removed the widget. */
  isOpen(): boolean;
  /** Shows the conversation instead of another page of the panel. */
  converse(): void;
  /** Applies new options. The conversation, the typed text and the reader's position stay. */
  update(options: ViewOptions): void;
  /** Receives the session and the parts of the panel, once. */
  fill(session: Session, parts: ViewParts): void;
  /** Reports that the panel could not be loaded. A reader who has opened it can try again. */
  giveUp(): void;
  destroy(): void;
}

export interface ViewParts extends Pick<
  Parts['panel'],
  'createPanel' | 'fillSmallScreen' | 'styles'
> {
  textsOf: (language: WidgetLanguage) => Texts;
  loadPages: () => Promise<Pages>;
}

export interface ViewHooks {
  onOpen(): void;
  onClose(): void;
  /** The panel is about to open, or somebody reaches for the button: the owner must call `fill`. */
  onNeeded(): void;
  /** Loads the code for the theme `host`. Without it, `host` behaves like `auto`. */
  loadHostTheme?: () => Promise<Parts['host-theme']>;
}

/**
 * Adds the button to the page, and the panel when it is first opened. Both are in a shadow root below the root element,
 * so that neither the page's styles nor a replaced body affect them. No inline styles and no HTML from strings are
 * used.
 */
export function mountView(options: ViewOptions, hooks: ViewHooks): View {
  const cleanup: Cleanup = [];
  let current = options;
  let filled: { session: Session; parts: ViewParts; fit: () => void } | undefined;
  let panel: Panel | undefined;
  const panelCleanup: Cleanup = [];
  /** The typed text of each person, shown only to them if they come back. */
  const drafts = new WeakMap<object, HTMLTextAreaElement>();
  let open = false;
  /** How to open the panel once it is loaded. */
  let wanted: { focus: boolean } | undefined;
  let everOpened = false;
  let refusal: SessionError | undefined;
  /** The page's element that had the focus before. */
  let before: Element | null = null;

  const host = document.createElement('assistant-widget');
  const shadow = host.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [sheetOf(buttonStyles)];
  const button = launcher(() => (open || wanted ? close() : show(true)));
  for (const type of ['pointerenter', 'focus'])
    button.node.addEventListener(type, () => hooks.onNeeded(), { once: true });
  const lost = element('p', { class: 'lost', role: 'alert' });
  const region = element('div', { role: 'region' }, lost, button.node);
  const root = element('div', { class: 'root' }, region);
  const theme = followTheme(host, options.theme, hooks.loadHostTheme);

  // Many pages use single keys as shortcuts, and a page's modal may take the focus back.
  for (const type of ['keydown', 'keypress', 'keyup', 'focusin', 'focusout'])
    root.addEventListener(type, (event) => event.stopPropagation());

  // A link opens in the page where the host allows that. The panel can't stand on a PDF.
  root.onclick = ({ target }) => {
    const link = (target as Element).closest('a');
    if (!link) return;
    const starts = current.linksInPage?.split(' ') ?? [origin];
    // As the start of an address, so that no other host begins with it, and what is none allows nothing.
    const isHere =
      !link.href.includes('.pdf') &&
      starts.some((start) => link.href.startsWith(new URL(start, 'x:/').href));
    link.target = isHere ? '_self' : '_blank';
    // On a small screen the panel covers the page.
    if (isHere && panel?.node.ariaModal) close();
  };

  const makePanel = (session: Session, parts: ViewParts, kept?: HTMLTextAreaElement): Panel => {
    const context = {
      session,
      texts: parts.textsOf(current.language),
      language: current.language,
      options: () => current,
      loadPages: parts.loadPages,
    };
    runCleanup(panelCleanup);
    const made = parts.createPanel(context, close, panelCleanup, kept);
    root.prepend(made.node);
    return made;
  };
  const show = (focus: boolean): void => {
    if (open) return;
    lost.textContent = '';
    if (!filled) {
      wanted = { focus };
      refresh();
      hooks.onNeeded();
      return;
    }
    const { session, parts } = filled;
    wanted = undefined;
    open = everOpened = true;
    const active = document.activeElement;
    before = active === host || active === document.body ? null : active;
    panel ??= makePanel(session, parts);
    panel.node.hidden = false;
    session.setVisible(true);
    refresh();
    panel.shown();
    if (focus || panel.node.hasAttribute('aria-modal')) panel.focus();
    hooks.onOpen();
  };
  const close = (): void => {
    if (wanted) {
      wanted = undefined;
      refresh();
    }
    if (!open || !panel) return;
    open = false;
    const held = shadow.activeElement !== null;
    panel.node.hidden = true;
    filled?.session.setVisible(false);
    refresh();
    const back = before instanceof HTMLElement && before.isConnected ? before : button.node;
    // The page has closed the panel while the reader is elsewhere, so the focus stays.
    if (held) back.focus({ preventScroll: true });
    hooks.onClose();
  };

  const refresh = (): void => {
    const state = filled?.session.state;
    const refused = state?.refused;
    // The page's visitor cannot help; its developer reads the console.
    if (refused && refused !== refusal)
      console.error(`Assistant: ${refused.code}: ${refused.message}`);
    refusal = refused;
    const texts = buttonTextsOf(current.language);
    button.update(state?.unread ?? 0, texts, open, !!wanted);
    button.node.hidden = current.collapsed && !everOpened;
    root.classList.toggle('bottom-left', current.position === 'bottom-left');
    root.classList.toggle('opened', open);
    setAttribute(root, 'lang', current.language);
    setAttribute(region, 'aria-label', texts.title);
    host.style.setProperty('--z', String(current.zIndex));
    filled?.fit();
    if (open && state) panel?.update(state);
  };
  /** For another person, nothing of the earlier panel may remain: no typed text, no page, no list. */
  const renewPanel = (sameReader: boolean): void => {
    if (!panel || !filled) {
      refresh();
      return;
    }
    const { node, input } = panel;
    const page = panel.page();
    const held = node.contains(shadow.activeElement);
    const draft = drafts.get(filled.session.state.person);
    panel = makePanel(filled.session, filled.parts, sameReader ? input : draft);
    panel.node.hidden = !open;
    node.remove();
    if (sameReader && page !== 'chat') panel.go(page);
    refresh();
    panel.shown();
    if (held) panel.focus();
  };

  shadow.append(root);
  refresh();
  const leave = stayOnPage(host, () => panel?.shown());
  if (current.autoOpen) show(false);
  return {
    open: () => show(true),
    close,
    isOpen: () => host.isConnected && (open || !!wanted),
    converse() {
      if (panel && panel.page() !== 'chat') panel.go('chat');
    },
    update(next) {
      const last = current;
      current = next;
      theme.set(next.theme);
      if (next.language === last.language) refresh();
      else renewPanel(true);
    },
    fill(session, parts) {
      shadow.adoptedStyleSheets = [sheetOf(buttonStyles), sheetOf(parts.styles)];
      const fit = parts.fillSmallScreen(root, () => panel?.node, cleanup);
      filled = { session, parts, fit };
      lost.textContent = '';
      cleanup.push(
        session.subscribe((state, last) => {
          if (state.person === last.person) {
            refresh();
            return;
          }
          if (panel) drafts.set(last.person, panel.input);
          renewPanel(false);
        }),
      );
      if (wanted) show(wanted.focus);
      else refresh();
    },
    giveUp() {
      if (wanted) lost.textContent = buttonTextsOf(current.language).lost;
      close();
    },
    destroy() {
      close();
      theme.stop();
      runCleanup(cleanup);
      runCleanup(panelCleanup);
      leave();
    },
  };
}

function sheetOf(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  return sheet;
}
