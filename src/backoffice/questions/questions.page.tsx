import { z } from 'zod';
import { requestStatuses } from '../../requests/request.js';
import { listRequests, type ShownRequest } from '../../requests/read-requests.js';
import type { Paged } from '../../platform/db/select-page.js';
import { Filters, Nothing } from '../layout/filters.js';
import { Choice, Field } from '../layout/form.js';
import { pageNumber, Pager, rowsPerPage } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { page } from '../page.js';
import { Asker, StatusBadge } from './request-parts.js';

/** Questions that are neither resolved nor dismissed. */
const waiting = 'waiting';
const states = [waiting, ...requestStatuses, 'all'] as const;

interface ListQuery {
  status: (typeof states)[number];
  q: string;
  page: number;
}

export const questionsPage = page({
  path: '/questions',
  access: 'requests.resolve',
  query: z.object({
    status: z.enum(states).catch(waiting).default(waiting),
    q: z.string().trim().max(200).catch('').default(''),
    page: pageNumber,
  }),
  async show(app, { actor, query, say }) {
    const found = await listRequests(app, actor, {
      page: query.page,
      limit: rowsPerPage,
      oldestFirst: query.status === waiting,
      ...(query.q === '' ? {} : { q: query.q }),
      ...(query.status === 'all'
        ? {}
        : { statuses: query.status === waiting ? ['open', 'in_progress'] : [query.status] }),
    });
    const list = { page: query.page, total: found.total };
    return { title: say.questions.title, list, body: <Questions query={query} found={found} /> };
  },
});

function Questions({ query, found }: { query: ListQuery; found: Paged<ShownRequest> }) {
  const { say, at } = useShown();
  const words = say.questions;
  const active = query.q !== '' || query.status !== waiting;
  return (
    <>
      <h1>{words.title}</h1>
      <p class="hint">{words.about}</p>
      <p>
        <a href={at('/questions/unanswered')}>{say.topics.title}</a>
      </p>
      <Filters active={active}>
        <Choice
          of="filter"
          name="status"
          label={say.labels.state}
          value={query.status}
          options={states.map((state) => [state, words.states[state]] as const)}
        />
        <Field of="filter" name="q" label={words.containing} type="search" value={query.q} />
      </Filters>
      {found.items.length === 0 ? (
        <Nothing active={active} text={words.none} />
      ) : (
        <Table
          caption={words.title}
          columns={[say.labels.question, say.labels.state, words.askedBy, words.asked]}
        >
          {found.items.map((request) => (
            <QuestionRow key={request.id} request={request} />
          ))}
        </Table>
      )}
      <Pager page={query.page} total={found.total} query={{ status: query.status, q: query.q }} />
    </>
  );
}

function QuestionRow({ request }: { request: ShownRequest }) {
  const { at } = useShown();
  return (
    <Row
      name={<a href={at(`/questions/${request.id}`)}>{request.question}</a>}
      cells={[
        <StatusBadge status={request.status} />,
        <Asker requester={request.requester} />,
        <Time iso={request.createdAt} />,
      ]}
    />
  );
}
