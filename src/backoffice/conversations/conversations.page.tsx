import { Readable } from 'node:stream';
import { z } from 'zod';
import { answerModes } from '../../answers/answer.js';
import { exportConversations } from '../../conversations/export-conversations.js';
import {
  mostCounted,
  mostLookedAt,
  type ListedConversations,
} from '../../conversations/read-conversations.js';
import { formats, ratings } from '../../conversations/store/conversation.js';
import {
  countedInput,
  listCounted,
  outcomes,
  type CountedInput,
} from '../../insights/list-counted.js';
import { languages } from '../../language/language-pack.js';
import { fileHeaders } from '../../platform/http/file-headers.js';
import { listAppChoices } from '../../tenancy/app-choices.js';
import { channels } from '../../usage/payer.js';
import { choiceOf, Filters, MoreFilters, Nothing } from '../layout/filters.js';
import { Choice, Field, Form } from '../layout/form.js';
import { KeyPager, queryText, rowsPerPage } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { action, page } from '../page.js';

const day = z.iso.date().or(z.literal('')).catch('').default('');

const filters = {
  q: z.string().trim().max(200).catch('').default(''),
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
  commented: choiceOf(['true']),
  unsupported: choiceOf(['true']),
  incomplete: choiceOf(['true']),
  outcome: choiceOf(outcomes),
  mode: choiceOf(answerModes),
  /** Seconds. */
  slower: z
    .string()
    .regex(/^\d{0,6}(\.\d{1,3})?$/)
    .catch('')
    .default(''),
};
const listQuery = z.object({
  ...filters,
  /** The key of the last row before those that are shown. */
  before: z.string().max(100).catch('').default(''),
});
type ListQuery = z.output<typeof listQuery>;
type Filter = Omit<ListQuery, 'before'>;

export const conversationsPage = page({
  path: '/conversations',
  access: 'conversations.read_all',
  query: listQuery,
  async show(app, { actor, query, say }) {
    const { before, ...filter } = query;
    const listed = await listCounted(app, actor, {
      ...inputOf(filter),
      after: before || undefined,
      limit: rowsPerPage,
    });
    const apps = await listAppChoices(app, actor);
    return {
      title: say.conversations.title,
      body: <Conversations query={query} listed={listed} apps={apps} />,
    };
  },
  actions: {
    export: action({
      form: z.object({ ...filters, format: z.enum(formats) }),
      async act(app, { actor, identify, form }) {
        const { format, ...filter } = form;
        const input = countedInput(app, actor, inputOf(filter));
        const pieces = await exportConversations(app, identify, { ...input, format });
        return { headers: fileHeaders('conversations', format), body: Readable.from(pieces) };
      },
    }),
  },
});

function inputOf(filter: Filter): CountedInput {
  const { channel, found } = filter;
  return {
    q: filter.q || undefined,
    from: filter.from || undefined,
    to: filter.to || undefined,
    language: filter.language || undefined,
    outcome: filter.outcome || undefined,
    appId: filter.app === '' ? undefined : Number(filter.app),
    channel: channel === '' || channel === 'people' ? undefined : channel,
    withoutCli: channel === 'people' ? true : undefined,
    found: found === '' ? undefined : found === 'true',
    rating: filter.rating || undefined,
    commented: filter.commented === 'true' ? true : undefined,
    unsupported: filter.unsupported === 'true' ? true : undefined,
    incomplete: filter.incomplete === 'true' ? true : undefined,
    mode: filter.mode || undefined,
    slowerMs: Math.round(1000 * Number(filter.slower)) || undefined,
  };
}

interface ConversationsProps {
  query: ListQuery;
  listed: ListedConversations;
  apps: readonly { id: number; name: string }[];
}

function Conversations({ query, listed, apps }: ConversationsProps) {
  const { say, at, format } = useShown();
  const words = say.conversations;
  const { before, ...filter } = query;
  const { total, next, isPart } = listed;
  const isMore = isPart || total > mostCounted;
  const counted = `${format.number(Math.min(total, mostCounted))}${isMore ? '+' : ''}`;
  // The page ends before it is full: not all messages with the words were looked at.
  const isShort = next !== undefined && listed.items.length < rowsPerPage;
  const looked = format.number(mostLookedAt);
  const some = total === 0 ? '' : words.lookedAt(looked);
  const active = Object.values(filter).some((one) => one !== '');
  return (
    <>
      <h1>{words.title}</h1>
      <ConversationFilters filter={filter} apps={apps} active={active} />
      {listed.items.length === 0 ? (
        <Nothing
          active={!isShort && (active || before !== '')}
          text={isShort ? words.noneLately(looked) : words.none}
        />
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
      <KeyPager
        counted={isShort ? some : say.answers.counted(counted)}
        next={next}
        isFirst={before === ''}
        query={filter}
        older={isShort ? words.lookFurther : undefined}
      />
      {total === 0 && !isPart ? null : <Download filter={filter} />}
    </>
  );
}

/** Downloads all conversations that fit. It is a form, because it is recorded. */
function Download({ filter }: { filter: Filter }) {
  const { say, path } = useShown();
  const words = say.answers;
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  return (
    <Form action="export" data-download="" to={`${path}?${queryText(filter)}`}>
      <h2>{words.download}</h2>
      <p>{words.downloadNote}</p>
      {given.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p class="buttons">
        {formats.map((format) => (
          <button key={format} name="format" value={format}>
            {words[format]}
          </button>
        ))}
      </p>
    </Form>
  );
}

const rare = [
  'rating',
  'outcome',
  'commented',
  'incomplete',
  'unsupported',
  'mode',
  'slower',
  'channel',
  'app',
  'language',
] as const;

interface FiltersProps {
  filter: Filter;
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
  ) => (
    <Choice of={of} name={name} label={label} value={filter[name]} options={[...all, ...options]} />
  );
  return (
    <Filters active={active}>
      <Field of={of} name="q" label={say.answers.words} type="search" value={filter.q} />
      <Field of={of} name="from" label={say.labels.from} type="date" value={filter.from} />
      <Field of={of} name="to" label={say.labels.to} type="date" value={filter.to} />
      {choice('found', words.answered, [
        ['true', words.withAnswer],
        ['false', words.withoutAnswer],
      ])}
      <MoreFilters active={rare.some((name) => filter[name] !== '')}>
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
        {choice('commented', words.comment, [['true', say.answers.commented]])}
        {choice('incomplete', say.labels.answer, [['true', words.incomplete]])}
        {choice('unsupported', words.support, [['true', words.unsupportedAnswer]])}
        {choice(
          'mode',
          tables.mode,
          answerModes.map((one) => [one, modes[one]]),
        )}
        <Field of={of} name="slower" label={words.slower} value={filter.slower} />
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
      </MoreFilters>
    </Filters>
  );
}
