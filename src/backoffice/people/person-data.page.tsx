import { z } from 'zod';
import { erasePerson } from '../../privacy/erase-person.js';
import { exportPerson } from '../../privacy/export-person.js';
import { readPersonName } from '../../privacy/person.js';
import { refusedField } from '../../platform/errors.js';
import { fileHeaders } from '../../platform/http/file-headers.js';
import { Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { action, page } from '../page.js';

/** A person's name has few characters; anything else is refused when it is read. */
const person = z.string().trim().min(1).max(320);

export const personDataPage = page({
  path: '/people/data',
  access: 'administer',
  query: z.object({ person: z.string().max(320).catch('').default('') }),
  show: (_app, { say, query }) =>
    Promise.resolve({
      title: say.people.data.title,
      section: '/people',
      body: <PersonData person={query.person} />,
    }),
  actions: {
    export: action({
      form: z.object({ person }),
      async act(app, { actor, form }) {
        const exported = await exportPerson(app, actor, readPersonName(form.person));
        return { headers: fileHeaders(exported.person, 'zip'), body: Buffer.from(exported.zip) };
      },
    }),
    erase: action({
      form: z.object({ person, again: z.string().trim().max(320) }),
      asksPassword: 'always',
      async act(app, { actor, form, say }) {
        if (form.again !== form.person) {
          throw refusedField('again', 'must be the same as the person above', 'invalid_request', {
            is: 'again',
          });
        }
        const erasure = await erasePerson(app, actor, readPersonName(form.person));
        const title = say.people.data.erased;
        return { title, section: '/people', body: <Erased {...erasure} /> };
      },
    }),
  },
});

function PersonData({ person }: { person: string }) {
  const { say, at } = useShown();
  const words = say.people.data;
  return (
    <>
      <p class="above">
        <a href={at('/people')}>{say.people.title}</a>
      </p>
      <h1>{words.title}</h1>
      <p>{words.about}</p>
      <div class="beside">
        <section>
          <h2>{words.export}</h2>
          <Form action="export">
            <Field
              of="export"
              name="person"
              label={words.person}
              hint={words.personHint}
              value={person}
              required
            />
            <button class="main">{words.exportNow}</button>
          </Form>
        </section>
        <section>
          <h2>{words.erase}</h2>
          <p>{words.eraseWarning}</p>
          <Form action="erase">
            <Field of="erase" name="person" label={words.person} value={person} required />
            <Field
              of="erase"
              name="again"
              label={words.again}
              hint={words.againHint}
              required
              autoComplete="off"
            />
            <button>{words.eraseNow}</button>
          </Form>
        </section>
      </div>
    </>
  );
}

function Erased({
  found,
  rows,
  linkedAccount,
  linkedIdentities,
  publishedEntries,
  rewritten,
}: Awaited<ReturnType<typeof erasePerson>>) {
  const { say, at, format } = useShown();
  const words = say.people.data;
  const count = Object.values(rows).reduce((all, one) => all + one, 0);
  const linked = [...(linkedAccount === undefined ? [] : [linkedAccount]), ...linkedIdentities];
  return (
    <>
      <h1>{words.erased}</h1>
      <p>
        {words.erasedRows(format.number(count))} {found.join(', ')}
      </p>
      {linked.length === 0 ? null : <p>{words.linked(linked.join(', '))}</p>}
      {publishedEntries.length === 0 ? null : (
        <>
          <p>{words.entriesStay}</p>
          <ul>
            {publishedEntries.map((uuid) => (
              <li key={uuid}>
                <a href={at(`/knowledge/${uuid}`)}>{uuid}</a>
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="hint">
        {words.backups} {rewritten ? null : words.notRewritten}
      </p>
      <p>
        <a href={at('/people')}>{say.people.title}</a>
      </p>
    </>
  );
}
