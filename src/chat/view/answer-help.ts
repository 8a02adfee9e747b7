import type { ChatMessage } from '../session.js';
import { askPersonCard } from './ask-person.js';
import { button, element, setText } from '../dom/element.js';
import { findStretches } from './find-stretch.js';
import { markStretches } from './mark-stretches.js';
import type { ViewContext } from './view-context.js';

/** Marks the unconfirmed sentences of an answer. For an unhelpful answer, asks for the reason and offers a person. */
export function answerHelp(context: ViewContext, key: string, text: HTMLElement) {
  const { session, texts } = context;
  const person = askPersonCard(context, key);
  let wantsPerson = false;
  let chosen: string | undefined;
  const choices = texts.reasons.map((reason) => {
    const choose = (): void => {
      chosen = chosen === reason ? undefined : reason;
      for (const one of choices) one.ariaPressed = String(one.textContent === chosen);
    };
    return button('chip', choose, [reason]);
  });
  const line = element('input', { maxlength: 1000 });
  const said = element('p', { role: 'status', tabindex: -1 });
  const send = async (): Promise<void> => {
    const comment = [chosen, line.value.trim()].filter(Boolean).join(': ');
    // Without a reason, the rating is already stored.
    const isStored = !comment || (await session.rate(key, 'down', comment));
    setText(said, isStored ? texts.thanks : texts.failed);
    // The focused element disappears, so the focus must move inside the panel.
    if (isStored && form.matches(':focus-within')) said.focus();
    form.hidden = isStored;
  };
  const form = element(
    'form',
    {
      novalidate: true,
      onsubmit(event) {
        event.preventDefault();
        void send();
      },
    },
    element('p', {}, texts.whatWrong),
    element('div', { class: 'chips', role: 'group', 'aria-label': texts.whatWrong }, ...choices),
    element('label', {}, texts.comment, line),
    element('button', { class: 'main' }, texts.send),
  );
  const askPerson = (): void => {
    wantsPerson = true;
    update(latest);
    person.begin();
    node.scrollIntoView({ block: 'nearest' });
  };
  const toPerson = button('plain', askPerson, [texts.askPerson]);
  const why = element('div', { class: 'card' }, form, said);
  let latest: ChatMessage;
  let marked: ChatMessage['reply'];
  const update = (message: ChatMessage): void => {
    latest = message;
    const { reply } = message;
    if (reply && reply !== marked) {
      marked = reply;
      const find = (shown: string) => findStretches(shown, reply.response, reply.unsupported);
      markStretches(text, find, texts.unconfirmed);
    }
    why.hidden = message.rating !== 'down';
    // A new rating asks again.
    if (why.hidden) {
      form.hidden = false;
      setText(said, '');
    }
    person.node.hidden = !(wantsPerson || message.request);
    toPerson.hidden =
      !session.askPerson || !person.node.hidden || (why.hidden && !reply?.canRequest);
    person.update(message);
  };
  const node = element('div', { class: 'below' }, why, toPerson, person.node);
  return {
    node,
    update,
    reveal() {
      if (why.hidden) return;
      choices[0]?.focus({ preventScroll: true });
      // Scroll to the whole form: a hidden rest would show the "to the end" button, which takes room.
      node.scrollIntoView({ block: 'nearest' });
    },
  };
}
