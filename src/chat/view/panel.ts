import type { SessionState } from '../session.js';
import { type Cleanup, button, element, setText } from '../dom/element.js';
import { icon, type IconName } from '../dom/icons.js';
import { chat } from './chat.js';
import { face } from './face.js';
import { menu } from './menu.js';
import type { OtherPage, PageName, PageView, ViewContext } from './view-context.js';

export interface Panel {
  node: HTMLElement;
  /** The field with the typed text. */
  input: HTMLTextAreaElement;
  update(state: SessionState): void;
  /** Moves the focus to the right element of the shown page. */
  focus(): void;
  /** Call it when the panel becomes visible: hidden elements can't be scrolled. */
  shown(): void;
  page(): PageName;
  go(page: PageName): void;
}

/** The panel: head, pages and composer. `kept` is the text field of the previous panel. */
export function createPanel(
  outer: Omit<ViewContext, 'go'>,
  close: () => void,
  cleanup: Cleanup,
  kept?: HTMLTextAreaElement,
): Panel {
  const { session, texts, loadPages } = outer;
  let page: PageName = 'chat';

  const go = (to: PageName): void => {
    page = to;
    shown = undefined;
    other.replaceChildren();
    if (to !== 'chat') void showOther(to);
    update(session.state);
    focus();
  };
  /** The menu's pages are loaded on demand. */
  const showOther = async (to: OtherPage): Promise<void> => {
    const note = element('p', { class: 'page', role: 'status', tabindex: -1 }, texts.loading);
    other.append(note);
    try {
      const pages = await loadPages();
      // The reader may have gone elsewhere meanwhile, and come back.
      if (!note.isConnected) return;
      shown = pages[to](context);
      const held = other.matches(':focus-within');
      other.replaceChildren(shown.node);
      update(session.state);
      if (held) focus();
    } catch {
      setText(note, texts.failed);
    }
  };
  const context: ViewContext = { ...outer, go };
  const talk = chat(context, cleanup, kept);
  const choices = menu(context);
  let shown: PageView | undefined;

  const headButton = (name: IconName, label: string, onclick: () => void) =>
    button('icon quiet', onclick, [icon(name)], label);
  const back = headButton('back', texts.back, () => go('chat'));
  const logo = face();
  const title = element('h2');
  const who = element('small');
  const fresh = headButton('add', texts.newConversation, choices.newConversation);
  const line = element('p', { class: 'line' });
  const other = element('div', { class: 'body' });
  const refusal = element('p', { class: 'page', role: 'alert' });
  const node = element(
    'section',
    {
      class: 'panel',
      role: 'dialog',
      'aria-label': texts.title,
      tabindex: -1,
      onkeydown(event) {
        if (event.key !== 'Escape' || event.isComposing) return;
        event.preventDefault();
        if (choices.close()) return;
        if (page === 'chat') close();
        else go('chat');
      },
      onclick({ target }) {
        const pressed = target as Node;
        if (!choices.opener.contains(pressed) && !choices.popup.contains(pressed)) choices.close();
      },
    },
    element(
      'header',
      { class: 'head' },
      back,
      logo.node,
      element('div', { class: 'title' }, title, who),
      fresh,
      choices.opener,
      headButton('close', texts.close, close),
      choices.popup,
    ),
    element('div', { role: 'status' }, line),
    refusal,
    talk.node,
    other,
  );

  const update = (state: SessionState): void => {
    const { connection, refused, organization, identity } = state;
    const { title: given = organization ?? texts.title, logo: src } = outer.options();
    const isChat = page === 'chat';
    title.title = page === 'chat' ? given : texts[page];
    setText(title, title.title);
    who.title = identity?.displayName ? texts.signedInAs(identity.displayName) : '';
    setText(who, who.title);
    logo.show(src);
    logo.node.hidden = !isChat;
    const lost = connection === 'reconnecting' || connection === 'offline';
    line.hidden = !(lost || state.deleted) || !!refused;
    if (!line.hidden) setText(line, texts[lost ? connection : 'deleted']);
    refusal.hidden = !refused;
    choices.opener.hidden = talk.node.hidden = !isChat || !!refused;
    other.hidden = isChat || !!refused;
    back.hidden = isChat;
    fresh.hidden = talk.node.hidden || !state.messages[0];
    setText(refusal, refused ? texts.refused : '');
    choices.update(state);
    shown?.update?.(state);
    talk.update(state);
  };
  const focus = (): void => {
    const target =
      page === 'chat' ? talk.input : other.querySelector<HTMLElement>('input,[tabindex]');
    (session.state.refused || !target ? node : target).focus({ preventScroll: true });
  };
  update(session.state);
  return {
    node,
    update,
    focus,
    go,
    input: talk.input,
    shown: talk.shown,
    page: () => page,
  };
}
