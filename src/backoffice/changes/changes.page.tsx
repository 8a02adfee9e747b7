import { Readable } from 'node:stream';
import { z } from 'zod';
import { nameActors } from '../../accounts/users/name-actors.js';
import { listUsersPage } from '../../accounts/users/manage-users.js';
import { exportChanges, listChanges } from '../../audit/list-changes.js';
import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { fileHeaders } from '../../platform/http/file-headers.js';
import { csvRow } from '../../platform/text/csv.js';
import { choiceOf } from '../layout/filters.js';
import { pageNumber, rowsPerPage } from '../layout/pager.js';
import { page } from '../page.js';
import { changeCells, columnsOf } from './change-words.js';
import { Changes } from './changes-view.js';
import { kinds, type ChangeQuery } from './kinds.js';

const day = z.iso.date().or(z.literal('')).catch('').default('');
const text = z.string().trim().max(200).catch('').default('');
const listQuery = z.object({
  person: text,
  kind: choiceOf(kinds),
  thing: text,
  from: day,
  to: day,
  page: pageNumber,
});

export const changesPages = [
  page({
    path: '/changes',
    access: 'administer',
    query: listQuery,
    async show(app, { actor, query, say }) {
      const filter = await filterOf(app, actor, query);
      const paging = { page: query.page, limit: rowsPerPage };
      const listed =
        filter === undefined
          ? { items: [], total: 0 }
          : await listChanges(app, actor, { ...filter, ...paging });
      const names = await nameActors(
        app,
        actor,
        listed.items.flatMap(({ actor, subject }) => [actor, subject]),
      );
      const list = { page: query.page, total: listed.total };
      return {
        title: say.changes.title,
        list,
        body: <Changes query={query} listed={listed} names={names} />,
      };
    },
  }),
  page({
    path: '/changes/csv',
    access: 'administer',
    query: listQuery,
    async show(app, { actor, identify, query, say }) {
      const filter = await filterOf(app, actor, query);
      async function* rows() {
        yield csvRow(columnsOf(say));
        if (filter === undefined) return;
        for await (const slice of exportChanges(app, identify, filter)) {
          const told = slice.flatMap(({ actor, subject }) => [actor, subject]);
          const names = await nameActors(app, actor, told);
          yield slice.map((change) => csvRow(changeCells(say, change, names))).join('');
        }
      }
      return {
        headers: fileHeaders('changes', 'csv'),
        body: Readable.from(rows()),
      };
    },
  }),
];

/** The filter that was meant. Undefined when nobody is called so. */
async function filterOf(app: App, actor: Actor, query: Omit<ChangeQuery, 'page'>) {
  const { person, kind, thing } = query;
  const author = person === '' ? undefined : await authorOf(app, actor, person);
  if (person !== '' && author === undefined) return undefined;
  // A day before the first one is no span.
  const to = query.to !== '' && query.to < query.from ? query.from : query.to;
  return {
    actor: author,
    action: kind || undefined,
    subject: thing || undefined,
    from: query.from || undefined,
    to: to || undefined,
  };
}

/** The author's name in the record. A person is named by address, or by that name itself. */
async function authorOf(app: App, actor: Actor, person: string): Promise<string | undefined> {
  if (/^(operator|retention|user:\d{1,15})$/.test(person)) return person;
  const { items } = await listUsersPage(app, actor, { page: 1, limit: 2, q: person });
  const same = ({ email }: { email: string }) => email.toLowerCase() === person.toLowerCase();
  const found = items.find(same) ?? (items.length === 1 ? items[0] : undefined);
  return found === undefined ? undefined : `user:${found.id}`;
}
