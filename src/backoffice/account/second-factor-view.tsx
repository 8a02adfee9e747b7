import type { SecondFactorState } from '../../accounts/users/manage-second-factor.js';
import { Badge } from '../layout/badge.js';
import { Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';

export function SecondFactor({ state }: { state: SecondFactorState }) {
  const { say, at, fault } = useShown();
  const words = say.factor;
  return (
    <>
      <p class="above">
        <a href={at('/me')}>{say.account.title}</a>
      </p>
      <h1>{words.title}</h1>
      <p>{words.about}</p>
      <p>
        <Badge
          tone={state.enabled ? 'good' : state.required ? 'warning' : 'plain'}
          text={state.enabled ? say.labels.setUp : words.off}
        />{' '}
        {state.enabled ? words.codesLeft(state.recoveryCodesLeft) : null}
        {state.required && !state.enabled ? words.required : null}
      </p>
      {state.enabled ? (
        <>
          <CodeForm of="renew" title={words.renew} hint={words.renewHint} />
          <CodeForm of="end" title={say.labels.removeFactor} hint={words.endHint} />
        </>
      ) : fault?.action === 'confirm' ? (
        <CodeForm of="confirm" title={words.confirm} hint={words.confirmHint} />
      ) : null}
      {state.enabled ? null : <Begin />}
    </>
  );
}

function Begin() {
  const { say } = useShown();
  const words = say.factor;
  const of = 'begin';
  return (
    <section>
      <h2>{words.begin}</h2>
      <Form action={of}>
        <Field
          of={of}
          name="password"
          label={say.labels.yourPassword}
          type="password"
          required
          autoComplete="current-password"
          hint={words.beginHint}
        />
        <button class="main">{words.begin}</button>
      </Form>
    </section>
  );
}

interface CodeFormProps {
  /** The name of the action. */
  of: string;
  title: string;
  hint: string;
}

/** A form that takes the password and a code. */
function CodeForm({ of, title, hint }: CodeFormProps) {
  const { say } = useShown();
  const words = say.factor;
  return (
    <section>
      <h2>{title}</h2>
      <p class="hint">{hint}</p>
      <Form action={of}>
        <Field
          of={of}
          name="password"
          label={say.labels.yourPassword}
          type="password"
          required
          autoComplete="current-password"
        />
        <Field of={of} name="code" label={words.code} required autoComplete="one-time-code" />
        <button>{title}</button>
      </Form>
    </section>
  );
}

/** The secret for the authenticator app, and the form for its first code. */
export function Begun({ secret, otpauthUri }: { secret: string; otpauthUri: string }) {
  const { say } = useShown();
  const words = say.factor;
  return (
    <>
      <h1>{words.title}</h1>
      <p>{words.addHint}</p>
      <p>
        <code class="secret">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <p>
        <a href={otpauthUri}>{words.open}</a>
      </p>
      <CodeForm of="confirm" title={words.confirm} hint={words.confirmHint} />
    </>
  );
}

/** The recovery codes, which are shown this once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { say, at } = useShown();
  const words = say.factor;
  return (
    <>
      <h1>{words.codes}</h1>
      <p>{words.codesHint}</p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code class="secret">{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <a class="button main" href={at('/me/second-factor')}>
          {say.prove.kept}
        </a>
      </p>
    </>
  );
}
