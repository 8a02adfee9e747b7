import type { SessionState } from '../session.js';
import { element, setAttribute, setText } from './element.js';
import { icon } from './icons.js';
import type { ViewContext } from './view-context.js';

/** From so many characters before the limit on, the rest is counted. */
const countedFrom = 200;

export interface Composer {
  node: HTMLElement;
  /** Kept where the panel is made anew for another language: text, selection and undo are the reader's. */
  input: HTMLTextAreaElement;
  update(state: SessionState): void;
}

/**
 * What is typed is lost by nothing but sending it: too long a text, an answer under way, no connection leave it as it
 * is. Enter sends, Shift+Enter begins a line; while an input method composes, Enter is its own.
 */
export function composer({ session, texts }: ViewContext, kept?: HTMLTextAreaElement): Composer {
  const input = kept ?? element('textarea', { rows: 1, enterkeyhint: 'send', id: 'composer' });
  setAttribute(input, 'aria-label', texts.placeholder);
  setAttribute(input, 'aria-describedby', 'left');
  input.placeholder = texts.placeholder;
  const button = element('button', { class: 'send' });
  const left = element('span', { class: 'left-over', id: 'left', role: 'status' });

  /** The answer under way, which has to end (or be stopped) first. */
  const underWay = (): string | undefined =>
    session.state.messages
      .filter(({ status }) => status === 'sent' || status === 'waiting' || status === 'streaming')
      .at(-1)?.key;
  const remaining = (): number => session.state.messageLength - input.value.trim().length;
  const submit = (): void => {
    const text = input.value.trim();
    if (text === '' || remaining() < 0 || underWay() !== undefined) return;
    input.value = '';
    session.send(text);
    show();
  };

  let stopping: boolean | undefined;
  const show = (): void => {
    input.style.height = '0';
    input.style.height = `${Math.min(Math.max(input.scrollHeight, 36), 156)}px`;
    const rest = remaining();
    const { messageLength } = session.state;
    const counted = rest < Math.min(countedFrom, messageLength / 2);
    left.hidden = !counted;
    left.classList.toggle('over', rest < 0);
    setText(
      left,
      counted ? (rest < 0 ? texts.tooLong(messageLength) : texts.charactersLeft(rest)) : '',
    );
    setAttribute(input, 'aria-invalid', rest < 0 ? 'true' : undefined);
    const stops = underWay() !== undefined;
    button.disabled = !stops && (input.value.trim() === '' || rest < 0);
    if (stops === stopping) return;
    stopping = stops;
    const name = stops ? texts.stop : texts.send;
    setAttribute(button, 'aria-label', name);
    button.title = name;
    button.replaceChildren(icon(stops ? 'stop' : 'send'));
  };

  input.oninput = show;
  input.onkeydown = (event) => {
    // Safari ends a composition before the Enter that ended it arrives: 229 tells it apart.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || isComposed(event)) return;
    event.preventDefault();
    submit();
  };
  const node = element(
    'form',
    { class: 'composer' },
    {
      onsubmit(event) {
        event.preventDefault();
        const key = underWay();
        if (key === undefined) submit();
        else session.cancel(key);
        // The button may be off by now, and the focus with it.
        input.focus();
      },
    },
    element('div', { class: 'box' }, {}, input, button),
    left,
  );
  return { node, input, update: show };
}

function isComposed(event: KeyboardEvent): boolean {
  return 'keyCode' in event && Reflect.get(event, 'keyCode') === 229;
}
