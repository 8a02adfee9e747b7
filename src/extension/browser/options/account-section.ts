import { button, element } from '../../../chat/dom/element.js';
import { ServiceError, type Account } from '../service/service.js';
import type { OptionsContext } from './options-context.js';

/** The signed-in account, or the sign-in form. */
export function accountSection(
  { service, texts, say, fail }: OptionsContext,
  account: Account | undefined,
): HTMLElement {
  const heading = element('h2', {}, texts.account);
  if (account !== undefined) {
    const leave = () => {
      say('');
      void service.signOut();
    };
    const who = element('p', {}, texts.signedInAs(account.user.email));
    return element('section', {}, heading, who, button('', leave, [texts.signOut]));
  }
  const email = element('input', { type: 'email', autocomplete: 'username', required: true });
  const password = element('input', {
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const code = element('input', { autocomplete: 'one-time-code', required: true });
  const codeLabel = element('label', {}, texts.code, code);
  const said = element('p', { class: 'bad', role: 'alert' });
  const submit = element('button', { class: 'main' }, texts.signIn);

  async function signIn(): Promise<void> {
    say('');
    submit.disabled = true;
    try {
      await service.signIn(
        email.value,
        password.value,
        codeLabel.isConnected ? code.value : undefined,
      );
      say(texts.signedInAs(email.value));
    } catch (error) {
      const reason = error instanceof ServiceError ? error.code : 'offline';
      fail(said, failure(reason));
      if (reason === 'second_factor_required') {
        said.before(codeLabel);
        code.value = '';
        code.focus();
      } else password.focus();
    } finally {
      submit.disabled = false;
    }
  }

  function failure(code: string): string {
    if (code === 'unauthenticated' || code === 'invalid_request') return texts.signInWrong;
    if (code === 'rate_limited') return texts.tooMany;
    if (code === 'second_factor_required') return texts.codeWanted;
    if (code === 'second_factor_missing') return texts.needsSecondFactor;
    if (code === 'password_sign_in_off') return texts.passwordsOff;
    return code === 'offline' ? texts.unreachable : texts.refused;
  }

  return element(
    'section',
    {},
    heading,
    element(
      'form',
      {
        onsubmit(event) {
          event.preventDefault();
          void signIn();
        },
      },
      element('label', {}, texts.email, email),
      element('label', {}, texts.password, password),
      said,
      submit,
    ),
  );
}
