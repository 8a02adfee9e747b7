import { answerModes } from '../../answers/answer.js';
import { z } from 'zod';
import { ratings, type Conversation } from '../../conversations/store/conversation.js';
import { listCounted, outcomes } from '../../insights/list-counted.js';
import { languages } from '../../language/language-pack.js';
import type { Paged } from '../../platform/db/select-page.js';
import { listAppChoices } from '../../tenancy/app-choices.js';
import { channels } from '../../usage/payer.js';
import { choiceOf, Filters, Nothing } from '../layout/filters.js';
import { Choice, Field } from '../layout/form.js';
import { pageNumber, Pager, rowsPerPage } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { page } from '../page.js';

const day = z.iso.date().or(z.literal('')).catch('').default('');

const listQuery = z.object({
  from: day,
  to: day,
  app: z
    .string()
    .regex(/^\d{0,9}$/)
    .catch('')
    .default(''),
  /** `people`: all but the command line, as figures count. */
  channel: choiceOf(['people', ...channels]),
  language: choiceOf(languages),
  found: choiceOf(['true', 'false']),
  rating: choiceOf(ratings),
  unsupported: choiceOf(['true']),
  outcome: choiceOf(outcomes),
  mode: choiceOf(answerModes),
  /** Seconds. */
  slower: z
    .string()
    .regex(/^\d{0,6}(\.\d{1,3})?$/)
    .catch('')
    .default(''),
  page: pageNumber,
});
type ListQuery = z.output<typeof listQuery>;

export const conversationsPage = page({
  path: '/conversations',
  access: 'conversations.read_all',
  query: listQuery,
  async show(app, { actor, query, say }) {
    const { channel, found } = query;
    const listed = await listCounted(app, actor, {
      ...{ page: query.page, limit: rowsPerPage },
      ...{ from: query.from || undefined, to: query.to || undefined },
      ...{ language: query.language || undefined, outcome: query.outcome || undefined },
      appId: query.app === '' ? undefined : Number(query.app),
      channel: channel === '' || channel === 'people' ? undefined : channel,
      withoutCli: channel === 'people',
      found: found === '' ? undefined : found === 'true',
      rating: query.rating || undefined,
      unsupported: query.unsupported === 'true' ? true : undefined,
      ...{
        mode: query.mode || undefined,
        slowerMs: Math.round(1000 * Number(query.slower)) || undefined,
      },
    });
    const apps = await listAppChoices(app, actor);
    return {
      title: say.conversations.title,
      body: <Conversations {...{ query, listed, apps }} />,
    };
  },
});

interface ConversationsProps {
  query: ListQuery;
  listed: Paged<Conversation>;
  apps: readonly { id: number; name: string }[];
}

function Conversations({ query, listed, apps }: ConversationsProps) {
  const { say, at } = useShown();
  const words = say.conversations;
  const { page, ...filter } = query;
  const active = Object.values(filter).some((one) => one !== '');
  return (
    <>
      <h1>{words.title}</h1>
      <ConversationFilters {...{ filter, apps, active }} />
      {listed.items.length === 0 ? (
        <Nothing active={active} text={words.none} />
      ) : (
        <Table caption={words.title} columns={[words.firstQuestion, words.channel, words.last]}>
          {listed.items.map((one) => (
            <Row
              key={one.id}
              name={<a href={at(`/conversations/${one.id}`)}>{one.title}</a>}
              cells={[words.channels[one.channel], <Time iso={one.updatedAt} />]}
            />
          ))}
        </Table>
      )}
      <Pager page={page} total={listed.total} query={filter} />
    </>
  );
}

interface FiltersProps {
  filter: Omit<ListQuery, 'page'>;
  apps: ConversationsProps['apps'];
  active: boolean;
}

function ConversationFilters({ filter, apps, active }: FiltersProps) {
  const { say } = useShown();
  const words = say.conversations;
  const { tables, modes, languages: names } = say.insights;
  const of = 'filter';
  const all = [['', say.list.all]] as const;
  const choice = (
    name: keyof typeof filter,
    label: string,
    options: readonly (readonly [string, string])[],
  ) => <Choice {...{ of, name, label, value: filter[name] }} options={[...all, ...options]} />;
  return (
    <Filters active={active}>
      <Field
        {...{ of, name: 'from', label: say.insights.from, type: 'date', value: filter.from }}
      />
      <Field {...{ of, name: 'to', label: say.insights.to, type: 'date', value: filter.to }} />
      {choice('found', words.answered, [
        ['true', words.withAnswer],
        ['false', words.withoutAnswer],
      ])}
      {choice(
        'rating',
        words.opinion,
        ratings.map((one) => [one, words.ratings[one]]),
      )}
      {choice(
        'outcome',
        words.outcome,
        outcomes.map((one) => [one, words.outcomes[one]]),
      )}
      {choice('unsupported', words.support, [['true', words.unsupportedAnswer]])}
      {choice(
        'mode',
        tables.mode,
        answerModes.map((one) => [one, modes[one]]),
      )}
      <Field {...{ of, name: 'slower', label: words.slower, value: filter.slower }} />
      {choice('channel', words.channel, [
        ['people', words.people],
        ...channels.map((one) => [one, words.channels[one]] as const),
      ])}
      {choice(
        'app',
        tables.app,
        apps.map(({ id, name }) => [String(id), name]),
      )}
      {choice(
        'language',
        tables.language,
        languages.map((one) => [one, names[one]]),
      )}
    </Filters>
  );
}
