import type { ChatMessage } from '../session.js';
import { element, setText } from './element.js';
import type { ViewContext } from './view-context.js';

/** Hands a question that found no answer to a person. Visitors may leave an address; of others the service has one. */
export function askPersonCard({ session, texts }: ViewContext, key: string) {
  const visitor = session.state.identity?.kind !== 'end_user';
  let request: ChatMessage['request'];
  const email = element('input', { type: 'email', autocomplete: 'email', maxlength: 254 });
  const form = element(
    'form',
    {},
    {
      onsubmit(event) {
        event.preventDefault();
        if (request === 'sending') return;
        const address = email.value.trim();
        session.askPerson(key, address === '' ? undefined : address);
      },
    },
    element('p', {}, {}, texts.askPersonNote),
    visitor ? element('label', { class: 'field' }, {}, texts.askPersonEmail, email) : undefined,
    element('button', { class: 'main' }, {}, texts.askPerson),
  );
  const said = element('p', { class: 'muted', role: 'status', tabindex: -1 });
  return {
    node: element('div', { class: 'card' }, {}, form, said),
    update(message: ChatMessage) {
      request = message.request;
      const spoken = { sending: texts.asking, filed: texts.asked, failed: texts.askFailed };
      setText(said, request === undefined ? '' : spoken[request]);
      said.hidden = request === undefined;
      // What has the focus goes away: the focus must not fall out of the panel with it.
      if (request === 'filed' && form.matches(':focus-within')) said.focus();
      form.hidden = request === 'filed';
    },
  };
}
