import { z } from 'zod';
import type { Entry } from '../../knowledge/entry.js';
import { statuses } from '../../knowledge/entry.js';
import { listEntries } from '../../knowledge/read-entries.js';
import { visibilities } from '../../platform/actor.js';
import type { Paged } from '../../platform/db/select-page.js';
import { choiceOf, Filters, Nothing } from '../layout/filters.js';
import { Choice, Field } from '../layout/form.js';
import { pageNumber, Pager, rowsPerPage } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { page } from '../page.js';
import { PlaceOf, StateBadge } from './entry-parts.js';

const sorts = ['-updated_at', 'title', '-created_at'] as const;

const listQuery = z.object({
  q: z.string().trim().max(200).catch('').default(''),
  status: choiceOf(statuses),
  visibility: choiceOf(visibilities),
  domain: z.string().trim().max(255).catch('').default(''),
  sort: z.enum(sorts).catch('-updated_at').default('-updated_at'),
  page: pageNumber,
});
type ListQuery = z.output<typeof listQuery>;

export const entriesPage = page({
  path: '/knowledge',
  access: 'knowledge.write',
  query: listQuery,
  async show(app, { actor, query, say }) {
    const { q, status, visibility, domain, sort } = query;
    const found = await listEntries(app, actor, {
      ...{ page: query.page, limit: rowsPerPage },
      ...(q === '' ? { sort } : { q }),
      ...(status === '' ? {} : { status }),
      ...(visibility === '' ? {} : { visibility }),
      ...(domain === '' ? {} : { domain }),
    });
    return { title: say.knowledge.title, body: <Entries query={query} found={found} /> };
  },
});

function Entries({ query, found }: { query: ListQuery; found: Paged<Entry> }) {
  const { say, at } = useShown();
  const words = say.knowledge;
  const { q, status, visibility, domain, sort } = query;
  const active = [q, status, visibility, domain].some((one) => one !== '');
  const of = 'filter';
  return (
    <>
      <div class="head">
        <h1>{words.title}</h1>
        <a class="button main" href={at('/knowledge/new')}>
          {words.write}
        </a>
      </div>
      <Filters active={active}>
        <Field {...{ of, name: 'q', label: words.containing, type: 'search', value: q }} />
        <Choice
          {...{ of, name: 'status', label: words.state, value: status }}
          options={[
            ['', say.list.all],
            ...statuses.map((one) => [one, words.states[one]] as const),
          ]}
        />
        <Choice
          {...{ of, name: 'visibility', label: words.tier, value: visibility }}
          options={[
            ['', say.list.all],
            ...visibilities.map((one) => [one, say.tiers[one]] as const),
          ]}
        />
        <Field {...{ of, name: 'domain', label: words.domain, value: domain }} />
        {q === '' ? (
          <Choice
            {...{ of, name: 'sort', label: say.list.sort, value: sort }}
            options={sorts.map((one) => [one, words.sorts[one]] as const)}
          />
        ) : null}
      </Filters>
      {found.items.length === 0 ? (
        <Nothing active={active} text={words.none} />
      ) : (
        <Table
          caption={words.title}
          columns={[words.entryTitle, words.place, words.tier, words.state, words.changed]}
        >
          {found.items.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </Table>
      )}
      <Pager
        {...{ page: query.page, total: found.total }}
        query={{ q, status, visibility, domain, sort }}
      />
    </>
  );
}

function EntryRow({ entry }: { entry: Entry }) {
  const { say, at } = useShown();
  return (
    <Row
      name={
        <a href={at(`/knowledge/${entry.uuid}`)} lang={entry.language}>
          {entry.title}
        </a>
      }
      cells={[
        <PlaceOf entry={entry} />,
        say.tiers[entry.visibility],
        <StateBadge entry={entry} />,
        <Time iso={entry.updatedAt} />,
      ]}
    />
  );
}
