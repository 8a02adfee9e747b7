import type { Session } from '../session.js';
import { textsOf } from '../texts/texts.js';
import { element, setAttribute } from './element.js';
import { launcher } from './launcher.js';
import { createPanel, type Panel } from './panel.js';
import { collectReleases } from './releases.js';
import { fillSmallScreen, keepTabWithin } from './small-screen.js';
import { chatStyles } from './styles-chat.js';
import { frameStyles } from './styles-frame.js';
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
  const releases = collectReleases();
  let current = options;
  let panel: Panel | undefined;
  let open = false;
  let everOpened = false;
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
  const screen = fillSmallScreen(root, () => panel?.node, releases);

  const isolate = (): void => {
    // Single keys are shortcuts on many pages, and a modal of the page's may want the focus back.
    const stop = (event: Event): void => event.stopPropagation();
    for (const type of ['keydown', 'keypress', 'keyup', 'focusin', 'focusout'])
      releases.listen(root, type, stop);
  };

  const makePanel = (kept?: HTMLTextAreaElement): Panel => {
    const context = {
      ...{ session, texts: textsOf(current.language), language: current.language },
      options: () => current,
    };
    const made = createPanel(context, close, kept);
    made.node.classList.add('appear');
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
    const texts = textsOf(current.language);
    button.update(state, texts, open);
    button.node.hidden = current.collapsed && !everOpened;
    root.classList.toggle('left', current.position === 'bottom-left');
    root.classList.toggle('opened', open);
    setAttribute(root, 'lang', current.language);
    setAttribute(region, 'aria-label', texts.title);
    host.style.setProperty('--z', String(current.zIndex));
    screen.update();
    if (open) panel?.update(state);
  };
  const changeLanguage = (): void => {
    if (!panel) return;
    const { input } = panel;
    const page = panel.page();
    const held = shadow.activeElement === input;
    const [from, to] = [input.selectionStart, input.selectionEnd];
    const inside = shadow.activeElement;
    panel.release();
    panel.node.remove();
    panel = makePanel(input);
    panel.node.hidden = !open;
    if (page !== 'chat') panel.go(page);
    panel.shown();
    input.setSelectionRange(from, to);
    if (held || (inside && open)) panel.focus();
  };

  let refusal: string | undefined;
  const explain = (): void => {
    const { refused } = session.state;
    if (refused && refused.code !== refusal)
      console.error(`Assistant: ${refused.code}: ${refused.message}`);
    refusal = refused?.code;
  };

  isolate();
  root.onkeydown = (event) => {
    if (panel?.node.hasAttribute('aria-modal')) keepTabWithin(panel.node, event);
  };
  shadow.append(root);
  refresh();
  document.documentElement.append(host);
  releases.add(
    session.subscribe(() => {
      explain();
      refresh();
    }),
  );
  explain();
  releases.add(() => panel?.release());
  releases.add(() => host.remove());
  if (current.autoOpen) show(false);
  return {
    open: () => show(true),
    close,
    isOpen: () => open,
    update(next) {
      const language = current.language;
      current = next;
      if (next.language !== language) changeLanguage();
      refresh();
    },
    destroy() {
      const held = shadow.activeElement !== null;
      releases.all();
      if (held && before instanceof HTMLElement) before.focus({ preventScroll: true });
      open = false;
    },
  };
}
