import type { ChatMessage } from '../session.js';
import { element, setText } from '../dom/element.js';
import type { ViewContext } from './view-context.js';

/** Passes an unanswered question to a person. The asker may leave an address if the service has none. */
export function askPersonCard({ session, texts }: ViewContext, key: string) {
  let request: ChatMessage['request'];
  const wrong = element('p', { class: 'bad', role: 'alert', id: `wrong-${key}` });
  const email = element('input', {
    type: 'email',
    autocomplete: 'email',
    'aria-describedby': wrong.id,
    // The browser's own check accepts a host without a dot.
    pattern: '.+@.+[.].+',
  });
  const judge = (isWrong: boolean): void => {
    email.ariaInvalid = String(isWrong);
    setText(wrong, isWrong ? texts.emailWrong : '');
  };
  email.oninput = () => judge(false);
  const field = element('label', {}, texts.askPersonEmail, email);
  const submit = element('button', { class: 'main' }, texts.askPerson);
  const form = element(
    'form',
    {
      // The browser's messages would be in its own language.
      novalidate: true,
      onsubmit(event) {
        event.preventDefault();
        const isWrong = !field.hidden && !email.validity.valid;
        judge(isWrong);
        if (isWrong) email.focus();
        else if (request !== 'sending') session.askPerson?.(key, email.value.trim() || undefined);
      },
    },
    field,
    wrong,
    submit,
  );
  const said = element('p', { role: 'status', tabindex: -1 });
  const node = element('div', { class: 'card' }, form, said);
  return {
    node,
    /** If there is nothing more to fill in, this completes the step. */
    begin() {
      (field.hidden ? submit : email).focus();
      if (field.hidden) form.requestSubmit();
    },
    update(message: ChatMessage) {
      request = message.request;
      const { kind, hasEmail = kind === 'end_user' } = session.state.identity ?? {};
      field.hidden = hasEmail;
      setText(said, request ? texts[request] : '');
      const isFiled = request === 'filed' || request === 'answered';
      // The focused element disappears, so the focus must move inside the panel.
      if (isFiled && form.matches(':focus-within')) said.focus();
      form.hidden = isFiled;
      // Sighted readers see the answer; only a screen reader needs the announcement.
      node.classList.toggle('sr', request === 'answered');
    },
  };
}
