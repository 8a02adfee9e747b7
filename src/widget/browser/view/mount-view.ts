import type { Session, SessionError } from '../session.js';
import { textsOf } from '../texts/texts.js';
import { followTheme } from '../theme/follow-theme.js';
import { element, setAttribute } from './element.js';
import { launcher } from './launcher.js';
import { createPanel, type Panel } from './panel.js';
import { fillSmallScreen } from './small-screen.js';
import { chatStyles } from './styles-chat.js';
import { frameStyles } from './styles-frame.js';
import { end, type Life } from './life.js';
import type { ViewOptions } from './view-context.js';

export type { ViewOptions } from './view-context.js';

export interface View {
  /** Moves the focus into the panel. */
  open(): void;
  /** Gives the focus back to what had it before. */
  close(): void;
  isOpen(): boolean;
  /** The conversation, what is being typed and where the reader is stay. */
  update(options: ViewOptions): void;
  destroy(): void;
}

/**
 * Puts the button on the page, and the panel once it is first opened: in a shadow root below the root element, so that
 * neither the page's styles nor a replaced body reach it. Nothing of it needs inline styles or HTML from strings.
 */
export function mountView(
  session: Session,
  options: ViewOptions,
  hooks: { onOpen(): void; onClose(): void },
): View {
  const life: Life = [];
  let current = options;
  let panel: Panel | undefined;
  const panelLife: Life = [];
  let open = false;
  let everOpened = false;
  let refusal: SessionError | undefined;
  /** What had the focus on the page. */
  let before: Element | null = null;

  const host = document.createElement('assistant-widget');
  const shadow = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(frameStyles + chatStyles);
  shadow.adoptedStyleSheets = [sheet];
  const button = launcher(() => (open ? close() : show(true)));
  const region = element('div', { role: 'region' }, button.node);
  const root = element('div', { class: 'root' }, region);
  const theme = followTheme(host, options.theme);
  const fill = fillSmallScreen(root, () => panel?.node, life);

  // Single keys are shortcuts on many pages, and a modal of the page's may want the focus back.
  for (const type of ['keydown', 'keypress', 'keyup', 'focusin', 'focusout'])
    root.addEventListener(type, (event) => event.stopPropagation());

  const makePanel = (kept?: HTMLTextAreaElement): Panel => {
    const context = {
      ...{ session, texts: textsOf(current.language), language: current.language },
      options: () => current,
    };
    end(panelLife);
    const made = createPanel(context, close, panelLife, kept);
    root.prepend(made.node);
    return made;
  };
  const show = (focus: boolean): void => {
    if (open) return;
    open = everOpened = true;
    const active = document.activeElement;
    before = active === host || active === document.body ? null : active;
    panel ??= makePanel();
    panel.node.hidden = false;
    session.setVisible(true);
    refresh();
    panel.shown();
    if (focus || panel.node.hasAttribute('aria-modal')) panel.focus();
    hooks.onOpen();
  };
  const close = (): void => {
    if (!open || !panel) return;
    open = false;
    const held = shadow.activeElement !== null;
    panel.node.hidden = true;
    session.setVisible(false);
    refresh();
    const back = before instanceof HTMLElement && before.isConnected ? before : button.node;
    // Closed by the page while the reader is elsewhere: the focus is none of ours.
    if (held) back.focus({ preventScroll: true });
    hooks.onClose();
  };

  const refresh = (): void => {
    const { state } = session;
    const { refused } = state;
    // Whoever reads the page can't help it; whoever looks after it looks here.
    if (refused && refused !== refusal)
      console.error(`Assistant: ${refused.code}: ${refused.message}`);
    refusal = refused;
    const texts = textsOf(current.language);
    button.update(state, texts, open);
    button.node.hidden = current.collapsed && !everOpened;
    root.classList.toggle('left', current.position === 'bottom-left');
    root.classList.toggle('opened', open);
    setAttribute(root, 'lang', current.language);
    setAttribute(region, 'aria-label', texts.title);
    host.style.setProperty('--z', String(current.zIndex));
    fill();
    if (open) panel?.update(state);
  };
  const changeLanguage = (): void => {
    if (!panel) return;
    const { node, input } = panel;
    const page = panel.page();
    const held = node.contains(shadow.activeElement);
    panel = makePanel(input);
    panel.node.hidden = !open;
    node.remove();
    if (page !== 'chat') panel.go(page);
    refresh();
    panel.shown();
    if (held) panel.focus();
  };

  const unsubscribe = session.subscribe(() => refresh());
  shadow.append(root);
  refresh();
  document.documentElement.append(host);
  if (current.autoOpen) show(false);
  return {
    open: () => show(true),
    close,
    isOpen: () => open,
    update(next) {
      const last = current;
      current = next;
      if (next.theme !== last.theme) theme.set(next.theme);
      if (next.language !== last.language) changeLanguage();
      refresh();
    },
    destroy() {
      close();
      unsubscribe();
      theme.stop();
      end(life);
      end(panelLife);
      host.remove();
    },
  };
}
