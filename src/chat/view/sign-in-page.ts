import { element, setText } from '../dom/element.js';
import { waitText } from './wait-text.js';
import type { PageView, ViewContext } from './view-context.js';

/** The widget's sign-in form. The password is not stored and disappears with the page. */
export function signInPage({ session, texts, language, go }: ViewContext): PageView {
  const required = { required: true, maxlength: 1024 };
  const email = element('input', { ...required, type: 'email', autocomplete: 'username' });
  const password = element('input', {
    ...required,
    type: 'password',
    autocomplete: 'current-password',
  });
  const failure = element('p', { class: 'bad', role: 'alert' });
  let busy = false;
  const signIn = async (): Promise<void> => {
    if (busy) return;
    setText(failure, '');
    if (!email.validity.valid || !password.value) {
      setText(failure, texts.signInWrong);
      (email.validity.valid ? password : email).focus();
      return;
    }
    busy = true;
    try {
      await session.signIn(email.value.trim(), password.value);
      go('chat');
    } catch (error) {
      const { code, retryAfter } = error as { code?: unknown; retryAfter?: number };
      const wrong = code === 'unauthenticated' || code === 'invalid_request';
      const why = wrong ? texts.signInWrong : texts.failed;
      setText(failure, retryAfter ? texts.rateLimited(waitText(retryAfter, language)) : why);
      password.select();
    }
    busy = false;
  };
  const node = element(
    'form',
    {
      class: 'page',
      // The browser's messages would be in its own language.
      novalidate: true,
      onsubmit(event) {
        event.preventDefault();
        void signIn();
      },
    },
    element('label', {}, texts.email, email),
    element('label', {}, texts.password, password),
    failure,
    element('button', { class: 'main' }, texts.signIn),
  );
  return { node };
}
