import type { ComponentChildren } from 'preact';
import type { CountedBatch } from '../../ingestion/batches/batch.js';
import { listBatches, listBatchesToReview } from '../../ingestion/review/review-batch.js';
import type { Paged } from '../../platform/db/select-page.js';
import { listTopics, type Topic } from '../../insights/topics.js';
import { listRequests, type ShownRequest } from '../../requests/read-requests.js';
import { useShown } from '../layout/shown.js';
import { Time } from '../layout/time.js';
import { page } from '../page.js';

/** As many of each kind as one looks at; the rest stands on the page of the kind. */
const shown = 5;

interface Work {
  requests: Paged<ShownRequest>;
  batches: CountedBatch[];
  failed: Paged<CountedBatch>;
  topics: Paged<Topic>;
}

export const todayPage = page({
  path: '/',
  access: 'knowledge.write',
  async show(app, { actor, say }) {
    const first = { page: 1, limit: shown };
    const work: Work = {
      requests: await listRequests(app, actor, {
        ...{ ...first, statuses: ['open', 'in_progress'], oldestFirst: true },
      }),
      batches: await listBatchesToReview(app, actor, shown),
      failed: await listBatches(app, actor, { ...first, status: 'failed' }),
      topics: await listTopics(app, actor, first),
    };
    return { title: say.today.title, body: <Today work={work} /> };
  },
});

/** What waits for a person. */
function Today({ work: { requests, batches, failed, topics } }: { work: Work }) {
  const { say, at, format } = useShown();
  const words = say.today;
  const isIdle = requests.total + batches.length + failed.total + topics.total === 0;
  return (
    <>
      <h1>{words.title}</h1>
      {isIdle ? <p class="nothing">{words.nothing}</p> : null}
      <Waiting
        title={words.questions(format.number(requests.total))}
        to="/questions"
        rows={requests.items.map(({ id, question, createdAt }) => (
          <>
            <a href={at(`/questions/${id}`)}>{question}</a> <Time iso={createdAt} />
          </>
        ))}
      />
      <Waiting
        title={say.topics.today(format.number(topics.total))}
        to="/questions/unanswered"
        rows={topics.items.map(({ id, title, questions, askedLast }) => (
          <>
            <a href={at(`/questions/unanswered/${id}`)}>{title}</a>{' '}
            {format.number(questions.length)}× <Time iso={askedLast} />
          </>
        ))}
      />
      <Waiting
        title={words.drafts}
        to="/documents"
        rows={batches.map(({ id, fileName, draftEntries, createdAt }) => (
          <>
            <a href={at(`/documents/${id}/review`)}>{fileName}</a>{' '}
            {words.draftsLeft(format.number(draftEntries))} <Time iso={createdAt} />
          </>
        ))}
      />
      <Waiting
        title={words.failed(format.number(failed.total))}
        to="/documents?status=failed"
        rows={failed.items.map(({ id, fileName, updatedAt }) => (
          <>
            <a href={at(`/documents/${id}`)}>{fileName}</a> <Time iso={updatedAt} />
          </>
        ))}
      />
    </>
  );
}

interface WaitingProps {
  title: string;
  /** The path of the list with all of them. */
  to: string;
  rows: ComponentChildren[];
}

/** One kind of waiting work; nothing where none waits. */
function Waiting({ title, to, rows }: WaitingProps) {
  const { at } = useShown();
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>
        <a href={at(to)}>{title}</a>
      </h2>
      <ul class="waiting">
        {rows.map((row, index) => (
          <li key={index}>{row}</li>
        ))}
      </ul>
    </section>
  );
}
