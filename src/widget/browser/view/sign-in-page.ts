import { element, setText } from './element.js';
import type { ViewContext } from './view-context.js';

/** The widget's own form; a password is kept nowhere, and goes with the page. */
export function signInPage({ session, texts, go }: ViewContext): HTMLElement {
  const email = element('input', {
    ...{ type: 'email', name: 'email', autocomplete: 'username', required: true, maxlength: 254 },
  });
  const password = element('input', {
    ...{ type: 'password', name: 'password', autocomplete: 'current-password' },
    ...{ required: true, maxlength: 1024 },
  });
  const failure = element('p', { class: 'bad', role: 'alert' });
  let busy = false;
  const signIn = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    setText(failure, '');
    try {
      await session.signIn(email.value.trim(), password.value);
      go('chat');
    } catch (error) {
      setText(failure, failureText(error));
      password.select();
    } finally {
      busy = false;
    }
  };
  const failureText = (error: unknown): string => {
    const { code, retryAfter } = (error ?? {}) as { code?: unknown; retryAfter?: unknown };
    if (typeof retryAfter === 'number') return texts.rateLimited(Math.ceil(retryAfter));
    const wrong = ['invalid_credentials', 'unauthenticated', 'invalid_request'];
    return wrong.includes(String(code)) ? texts.signInWrong : texts.signInFailed;
  };
  return element(
    'form',
    { class: 'page' },
    {
      onsubmit(event) {
        event.preventDefault();
        void signIn();
      },
    },
    element('label', { class: 'field' }, {}, texts.email, email),
    element('label', { class: 'field' }, {}, texts.password, password),
    failure,
    element('button', { class: 'main' }, {}, texts.signIn),
  );
}
