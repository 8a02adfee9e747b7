import { isOver } from '../session/session-state.js';
import { element, nameButton, setText } from '../dom/element.js';
import { icon } from '../dom/icons.js';
import type { ViewContext } from './view-context.js';

/** The remaining characters are shown from this many before the limit. */
const countedFrom = 200;

export interface Composer {
  node: HTMLElement;
  input: HTMLTextAreaElement;
  update(): void;
  /** Adapts the field's height to its text. Measuring is slow: only for a changed or newly visible text. */
  fit(): void;
}

/**
 * The field for questions. Its text is removed only by sending it or by a change of person, never by an excessive
 * length or a lost connection. Enter sends; Shift+Enter starts a line; while an input method composes, Enter belongs to
 * it. `kept` is the field of the previous panel, with the reader's text, selection and undo history.
 */
export function composer({ session, texts }: ViewContext, kept?: HTMLTextAreaElement): Composer {
  const input =
    kept ?? element('textarea', { rows: 1, enterkeyhint: 'send', 'aria-describedby': 'left' });
  input.ariaLabel = input.placeholder = texts.placeholder;
  const button = element('button');
  const left = element('span', { class: 'left', id: 'left', role: 'status' });
  let stops: boolean | undefined;

  const underWay = (): string | undefined =>
    session.state.messages.filter((one) => !isOver(one) && one.status !== 'queued').at(-1)?.key;
  const fit = (): void => {
    input.style.height = '0';
    input.style.height = `${input.scrollHeight}px`;
  };
  const update = (): void => {
    const { messageLength } = session.state;
    const length = input.value.trim().length;
    const rest = messageLength - length;
    const isLong = rest < 0;
    const count = rest < countedFrom ? `${length} / ${messageLength}` : '';
    setText(left, isLong ? texts.tooLong(messageLength) : count);
    left.classList.toggle('bad', isLong);
    input.ariaInvalid = String(isLong);
    // A running answer can be stopped until the reader types the next question, which then waits for its turn.
    const stopping = !length && !!underWay();
    if (stopping !== stops) {
      const name = stopping ? 'stop' : 'send';
      button.className = `send ${name}`;
      nameButton(button, texts[name]);
      button.replaceChildren(icon(name));
    }
    stops = stopping;
    button.disabled = !stopping && (!length || isLong);
  };
  const submit = (): void => {
    const text = input.value.trim();
    const key = underWay();
    if (text && text.length <= session.state.messageLength) {
      input.value = '';
      session.send(text);
    } else if (stops && key) session.cancel(key);
    update();
    fit();
    // The button may now be disabled and lose the focus.
    input.focus();
  };

  input.oninput = () => {
    fit();
    update();
  };
  input.onkeydown = (event) => {
    // Safari ends a composition before it sends the Enter key that ended it; code 229 identifies that key.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other property tells it
    const composes = event.isComposing || event.keyCode === 229;
    if (event.key !== 'Enter' || event.shiftKey || composes) return;
    event.preventDefault();
    if (input.value.trim()) submit();
  };
  const node = element(
    'form',
    {
      class: 'composer',
      onsubmit(event) {
        event.preventDefault();
        submit();
      },
    },
    element('div', { class: 'box' }, input, button),
    left,
  );
  return { node, input, update, fit };
}
