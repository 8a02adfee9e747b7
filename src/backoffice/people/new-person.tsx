import { minimumPasswordLength } from '../../accounts/users/create-user.js';
import { roles } from '../../platform/actor.js';
import { Choice, Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';

/** The form for a new account. */
export function NewPerson() {
  const { say, at } = useShown();
  const words = say.people;
  const of = 'create';
  return (
    <>
      <p class="above">
        <a href={at('/people')}>{words.title}</a>
      </p>
      <h1>{words.add}</h1>
      <Form action={of}>
        <Field
          {...{ of, name: 'email', label: say.labels.email, type: 'email', required: true }}
          autoComplete="off"
        />
        <Field {...{ of, name: 'display_name', label: say.labels.name, hint: words.nameHint }} />
        <Choice
          {...{ of, name: 'role', label: words.role, hint: words.roleHint, value: 'backoffice' }}
          options={roles.map((role) => [role, say.roles[role]] as const)}
        />
        <Field
          {...{
            of,
            name: 'password',
            label: say.labels.password,
            type: 'password',
            required: true,
          }}
          {...{ autoComplete: 'new-password', hint: words.passwordHint(minimumPasswordLength) }}
        />
        <button class="main">{words.add}</button>
      </Form>
    </>
  );
}
