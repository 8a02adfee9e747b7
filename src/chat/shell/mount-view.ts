import type { Parts } from '../parts/parts.js';
import type { Session, SessionError } from '../session.js';
import { buttonTextsOf } from '../texts/button-texts.js';
import { followTheme } from '../theme/follow-theme.js';
import { element, setAttribute } from '../dom/element.js';
import { launcher } from './launcher.js';
import { runCleanup, type Cleanup } from '../dom/cleanup.js';
import { stayOnPage } from './stay-on-page.js';
import type { Panel } from '../view/panel.js';
import { buttonStyles } from './styles-button.js';
import type { Texts } from '../texts/texts.js';
import type { WidgetLanguage } from '../api-types.js';
import type { Pages, ViewOptions } from '../view/view-context.js';

export type { ViewOptions } from '../view/view-context.js';

export interface View {
  /** Moves the focus into the panel. Before `fill` it is remembered, and done then. */
  open(): void;
  /** Gives the focus back to what had it before. */
  close(): void;
  /** Not while the page has taken it away. */
  isOpen(): boolean;
  /** Shows the conversation, whatever else the panel shows. */
  converse(): void;
  /** The conversation, what is being typed and where the reader is stay. */
  update(options: ViewOptions): void;
  /** Takes what a panel is made of, once. */
  fill(session: Session, parts: ViewParts): void;
  /** What was to fill the panel did not come: whoever wanted it is told, and can open it once more. */
  giveUp(): void;
  destroy(): void;
}

export interface ViewParts extends Pick<
  Parts['panel'],
  'createPanel' | 'fillSmallScreen' | 'styles'
> {
  textsOf: (language: WidgetLanguage) => Texts;
  /** What the menu leads to. */
  loadPages: () => Promise<Pages>;
}

export interface ViewHooks {
  onOpen(): void;
  onClose(): void;
  /** The panel is about to be opened, or somebody reaches for the button: `fill` is waited for. */
  onNeeded(): void;
  /** Gets what the theme `host` takes. Without it that theme is as `auto`. */
  loadHostTheme?: () => Promise<Parts['host-theme']>;
}

/**
 * Puts the button on the page, and the panel once it is first opened: in a shadow root below the root element, so that
 * neither the page's styles nor a replaced body reach it. Nothing of it needs inline styles or HTML from strings.
 */
export function mountView(options: ViewOptions, hooks: ViewHooks): View {
  const cleanup: Cleanup = [];
  let current = options;
  let filled: { session: Session; parts: ViewParts; fit: () => void } | undefined;
  let panel: Panel | undefined;
  const panelCleanup: Cleanup = [];
  /** What each reader was typing: for them alone, should they come back. */
  const drafts = new WeakMap<object, HTMLTextAreaElement>();
  let open = false;
  /** How it is to be opened once it can be. */
  let wanted: { focus: boolean } | undefined;
  let everOpened = false;
  let refusal: SessionError | undefined;
  /** What had the focus on the page. */
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

  // Single keys are shortcuts on many pages, and a modal of the page's may want the focus back.
  for (const type of ['keydown', 'keypress', 'keyup', 'focusin', 'focusout'])
    root.addEventListener(type, (event) => event.stopPropagation());

  const makePanel = (session: Session, parts: ViewParts, kept?: HTMLTextAreaElement): Panel => {
    const context = {
      ...{ session, texts: parts.textsOf(current.language), language: current.language },
      ...{ options: () => current, loadPages: parts.loadPages },
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
    // Closed by the page while the reader is elsewhere: the focus is none of ours.
    if (held) back.focus({ preventScroll: true });
    hooks.onClose();
  };

  const refresh = (): void => {
    const state = filled?.session.state;
    const refused = state?.refused;
    // Whoever reads the page can't help it; whoever looks after it looks here.
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
  /** Where the reader is another one, nothing of the panel before is left: no text that was typed, no page, no list. */
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
