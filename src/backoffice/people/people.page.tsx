import { z } from 'zod';
import { createUser, minimumPasswordLength } from '../../accounts/users/create-user.js';
import { listUsersPage } from '../../accounts/users/manage-users.js';
import { roles } from '../../platform/actor.js';
import { choiceOf } from '../layout/filters.js';
import { pageNumber, rowsPerPage } from '../layout/pager.js';
import { action, page } from '../page.js';
import { People } from './people-list.js';
import { newPassword, NewPasswordField } from './person-parts.js';
import { Choice, Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';

const listQuery = z.object({
  q: z.string().max(200).catch('').default(''),
  role: choiceOf(roles),
  state: choiceOf(['active', 'disabled']),
  page: pageNumber,
});

export const peoplePages = [
  page({
    path: '/people',
    access: 'administer',
    query: listQuery,
    async show(app, { actor, query, say }) {
      const { q, role, state } = query;
      const listed = await listUsersPage(app, actor, {
        page: query.page,
        limit: rowsPerPage,
        q,
        ...(role === '' ? {} : { role }),
        ...(state === '' ? {} : { disabled: state === 'disabled' }),
      });
      const list = { page: query.page, total: listed.total };
      return { title: say.people.title, list, body: <People query={query} listed={listed} /> };
    },
  }),
  page({
    path: '/people/new',
    access: 'administer',
    show: (_app, { say }) =>
      Promise.resolve({ title: say.people.add, section: '/people', body: <NewPerson /> }),
    actions: {
      create: action({
        form: z.object({
          email: z.string().max(320),
          display_name: z.string().trim().max(200),
          role: z.enum(roles),
          password: newPassword,
        }),
        asksPassword: 'lately',
        async act(app, { actor, form }) {
          const { id } = await createUser(app, actor, form);
          return { to: `/people/${id}`, done: 'personAdded' };
        },
      }),
    },
  }),
];

/** The form for a new account. */
function NewPerson() {
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
          of={of}
          name="email"
          label={say.labels.email}
          type="email"
          required
          autoComplete="off"
        />
        <Field of={of} name="display_name" label={say.labels.name} hint={words.nameHint} />
        <Choice
          of={of}
          name="role"
          label={words.role}
          hint={words.roleHint}
          value="backoffice"
          options={roles.map((role) => [role, say.roles[role]] as const)}
        />
        <NewPasswordField of={of} hint={words.passwordHint(minimumPasswordLength)} />
        <button class="main">{words.add}</button>
      </Form>
    </>
  );
}
