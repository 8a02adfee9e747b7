import { z } from 'zod';
import { listConversations } from '../../conversations/read-conversations.js';
import { ratings, type Conversation } from '../../conversations/store/conversation.js';
import type { Paged } from '../../platform/db/select-page.js';
import { channels } from '../../usage/payer.js';
import { choiceOf, Filters, Nothing } from '../layout/filters.js';
import { Choice } from '../layout/form.js';
import { pageNumber, Pager, rowsPerPage } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { page } from '../page.js';

const listQuery = z.object({
  channel: choiceOf(channels),
  found: choiceOf(['true', 'false']),
  rating: choiceOf(ratings),
  page: pageNumber,
});
type ListQuery = z.output<typeof listQuery>;

export const conversationsPage = page({
  path: '/conversations',
  access: 'conversations.read_all',
  query: listQuery,
  async show(app, { actor, query, say }) {
    const { channel, found, rating } = query;
    const listed = await listConversations(app, actor, {
      ...{ page: query.page, limit: rowsPerPage },
      ...(channel === '' ? {} : { channel }),
      ...(found === '' ? {} : { found: found === 'true' }),
      ...(rating === '' ? {} : { rating }),
    });
    return {
      title: say.conversations.title,
      body: <Conversations query={query} listed={listed} />,
    };
  },
});

function Conversations({ query, listed }: { query: ListQuery; listed: Paged<Conversation> }) {
  const { say, at } = useShown();
  const words = say.conversations;
  const { page, ...filter } = query;
  const active = Object.values(filter).some((one) => one !== '');
  const of = 'filter';
  return (
    <>
      <h1>{words.title}</h1>
      <Filters active={active}>
        <Choice
          {...{ of, name: 'channel', label: words.channel, value: filter.channel }}
          options={[
            ['', say.list.all],
            ...channels.map((one) => [one, words.channels[one]] as const),
          ]}
        />
        <Choice
          {...{ of, name: 'found', label: words.answered, value: filter.found }}
          options={[
            ['', say.list.all],
            ['true', words.withAnswer],
            ['false', words.withoutAnswer],
          ]}
        />
        <Choice
          {...{ of, name: 'rating', label: words.opinion, value: filter.rating }}
          options={[
            ['', say.list.all],
            ...ratings.map((one) => [one, words.ratings[one]] as const),
          ]}
        />
      </Filters>
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
