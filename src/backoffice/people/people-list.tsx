import type { User } from '../../accounts/users/accounts.repository.js';
import { roles } from '../../platform/actor.js';
import type { Paged } from '../../platform/db/select-page.js';
import { Filters, Nothing } from '../layout/filters.js';
import { Choice, Field } from '../layout/form.js';
import { Pager } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { personName, StateBadge } from './person-parts.js';

export interface ListQuery {
  q: string;
  role: string;
  state: string;
  page: number;
}

export function People({ query, listed }: { query: ListQuery; listed: Paged<User> }) {
  const { say, at } = useShown();
  const words = say.people;
  const { page, ...filter } = query;
  const active = Object.values(filter).some((one) => one !== '');
  const of = 'filter';
  return (
    <>
      <div class="head">
        <h1>{words.title}</h1>
        <a class="button main" href={at('/people/new')}>
          {words.add}
        </a>
      </div>
      <Filters active={active}>
        <Field of={of} name="q" label={words.search} type="search" value={filter.q} />
        <Choice
          of={of}
          name="role"
          label={words.role}
          value={filter.role}
          options={[['', say.list.all], ...roles.map((role) => [role, say.roles[role]] as const)]}
        />
        <Choice
          of={of}
          name="state"
          label={say.labels.state}
          value={filter.state}
          options={[
            ['', say.list.all],
            ['active', words.states.active],
            ['disabled', words.states.disabled],
          ]}
        />
      </Filters>
      {listed.items.length === 0 ? (
        <Nothing active={active} text={words.none} />
      ) : (
        <Table
          caption={words.title}
          columns={[
            say.labels.name,
            say.labels.email,
            words.role,
            say.labels.state,
            words.lastSeen,
          ]}
        >
          {listed.items.map((user) => (
            <Row
              key={user.id}
              name={<a href={at(`/people/${user.id}`)}>{personName(user)}</a>}
              cells={[
                user.email,
                say.roles[user.role],
                <StateBadge user={user} />,
                user.lastSeenAt === null ? words.never : <Time iso={user.lastSeenAt} />,
              ]}
            />
          ))}
        </Table>
      )}
      <Pager page={page} total={listed.total} query={filter} />
      <p class="hint">
        <a href={at('/people/data')}>{words.data.title}</a>
      </p>
    </>
  );
}
