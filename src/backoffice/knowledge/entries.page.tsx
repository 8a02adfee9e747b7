import { z } from 'zod';
import { languages } from '../../language/language-pack.js';
import { type Entry, statuses } from '../../knowledge/entry.js';
import { visibilities } from '../../platform/actor.js';
import type { Paged } from '../../platform/db/select-page.js';
import { Filters, Nothing } from '../layout/filters.js';
import { Choice, Field } from '../layout/form.js';
import { pageNumber, Pager, rowsPerPage } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Tick } from '../layout/tick.js';
import { Time } from '../layout/time.js';
import { page } from '../page.js';
import { ChangeForm } from './change-form.js';
import { entryFilter, entrySorts, entryUses, findEntries, isFiltered } from './entry-list.js';
import { PlaceOf, StateBadge } from './entry-parts.js';

const listQuery = entryFilter.extend({
  sort: z.enum(entrySorts).catch('-updated_at').default('-updated_at'),
  page: pageNumber,
});
type ListQuery = z.output<typeof listQuery>;

export const entriesPage = page({
  path: '/knowledge',
  access: 'knowledge.write',
  query: listQuery,
  async show(app, { actor, query, say }) {
    const page = { page: query.page, limit: rowsPerPage };
    const sorted = query.q === '' ? { ...page, sort: query.sort } : page;
    const found = await findEntries(app, actor, query, sorted);
    const list = { page: query.page, total: found.total };
    return { title: say.knowledge.title, list, body: <Entries query={query} found={found} /> };
  },
});

function Entries({ query, found }: { query: ListQuery; found: Paged<Entry> }) {
  const { say, at } = useShown();
  const words = say.knowledge;
  const { page, sort, ...filter } = query;
  const { q, status, visibility, domain, language, document, use } = filter;
  const active = isFiltered(query);
  const of = 'filter';
  return (
    <>
      <div class="head">
        <h1>{words.title}</h1>
        <a class="button main" href={at('/knowledge/new')}>
          {say.labels.writeEntry}
        </a>
      </div>
      <Filters active={active}>
        <Field of={of} name="q" label={words.containing} type="search" value={q} />
        <Choice
          of={of}
          name="status"
          label={say.labels.state}
          value={status}
          options={[
            ['', say.list.all],
            ...statuses.map((one) => [one, words.states[one]] as const),
          ]}
        />
        <Choice
          of={of}
          name="visibility"
          label={say.labels.tier}
          value={visibility}
          options={[
            ['', say.list.all],
            ...visibilities.map((one) => [one, say.tiers[one]] as const),
          ]}
        />
        <Field of={of} name="domain" label={say.labels.domain} value={domain} />
        <Choice
          of={of}
          name="language"
          label={say.insights.tables.language}
          value={language}
          options={[
            ['', say.list.all],
            ...languages.map((one) => [one, say.insights.languages[one]] as const),
          ]}
        />
        <Field of={of} name="document" label={words.document} value={document} />
        <Choice
          of={of}
          name="use"
          label={say.answers.use}
          value={use}
          options={[
            ['', say.list.all],
            ...entryUses.map((one) => [one, say.answers.uses[one]] as const),
          ]}
        />
        {q === '' ? (
          <Choice
            of={of}
            name="sort"
            label={say.list.sort}
            value={sort}
            options={entrySorts.map((one) => [one, words.sorts[one]] as const)}
          />
        ) : null}
      </Filters>
      {found.items.length === 0 ? (
        <Nothing active={active} text={words.none} />
      ) : (
        <ChangeForm filter={query} total={found.total}>
          <Table
            caption={words.title}
            columns={[
              say.labels.title,
              words.place,
              say.labels.tier,
              say.labels.state,
              words.changed,
            ]}
          >
            {found.items.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </Table>
        </ChangeForm>
      )}
      <Pager page={page} total={found.total} query={{ ...filter, sort }} />
    </>
  );
}

function EntryRow({ entry }: { entry: Entry }) {
  const { say, at } = useShown();
  return (
    <Row
      name={
        <span class="tick">
          <Tick name="entry" value={`${entry.uuid}:${entry.version}`} of={entry.title} />
          <a href={at(`/knowledge/${entry.uuid}`)} lang={entry.language}>
            {entry.title}
          </a>
        </span>
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
