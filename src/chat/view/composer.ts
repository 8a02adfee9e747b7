import { isOver } from '../session/session-state.js';
import { element, nameButton, setText } from '../dom/element.js';
import { icon } from '../dom/icons.js';
import type { ViewContext } from './view-context.js';

/** From so many characters before the limit on, the rest is counted. */
const countedFrom = 200;

export interface Composer {
  node: HTMLElement;
  input: HTMLTextAreaElement;
  update(): void;
  /** Makes the field as high as its text. It measures, so it is called when the text changes or comes into view. */
  fit(): void;
}

/**
 * What is typed is lost by nothing but sending it, or to another reader: too long a text or a lost connection leave it
 * as it is. Enter sends, Shift+Enter begins a line; while an input method composes, Enter is its own. `kept` is the
 * field of a panel that was there before this one: text, selection and undo are the reader's.
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
    // An answer can be stopped until the next question is being typed: that one waits its turn.
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
    // The button may be off by now, and the focus with it.
    input.focus();
  };

  input.oninput = () => {
    fit();
    update();
  };
  input.onkeydown = (event) => {
    // Safari ends a composition before the Enter that ended it arrives: 229 tells it apart.
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
