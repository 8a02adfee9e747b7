import { z } from 'zod';
import {
  approveWaiting,
  countWaiting,
  nameWaiting,
  type OfSource,
  type Waiting,
} from '../../ingestion/review/approve-waiting.js';
import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { getBareSource, getRun } from '../../sources/read-sources.js';
import type { Source, SourceRun } from '../../sources/source.js';
import { batchPath } from '../documents/batch-params.js';
import { requireCount } from '../documents/queue.js';
import { Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Time } from '../layout/time.js';
import { action, page } from '../page.js';

const examples = 10;
/** In milliseconds: a browser still waits for it. The page then asks again for the rest. */
const longest = 20_000;

const number = z.coerce.number().int().min(1).max(999_999_999_999_999);
const params = z.object({ id: number });

/** Asks before all drafts of a source, or of one of its runs, are published unread. */
export const acceptPage = page({
  path: '/sources/:id/accept',
  access: 'knowledge.write',
  params,
  query: z.object({ run: number.optional().catch(undefined) }),
  async show(app, { actor, params, query }) {
    const { source, run, which } = await find(app, actor, { ...params, ...query });
    const waiting = await countWaiting(app, actor, which);
    const named = await nameWaiting(app, actor, waiting, examples);
    return {
      title: source.name,
      section: '/sources',
      body: <Accept source={source} run={run} waiting={waiting} named={named} />,
    };
  },
  actions: {
    accept: action({
      params,
      form: z.object({ count: z.coerce.number().int().min(0), run: number.optional() }),
      async act(app, { actor, params: { id }, form: { count, run } }) {
        const { which } = await find(app, actor, { id, run });
        const waiting = await countWaiting(app, actor, which);
        requireCount(waiting.drafts, count);
        const approved = await approveWaiting(app, actor, waiting, { lastingMs: longest });
        const isRest = approved < count && (await countWaiting(app, actor, which)).drafts > 0;
        return { to: isRest ? pathOf(id, run) : `/sources/${id}`, done: 'approved' };
      },
    }),
  },
});

async function find(
  app: App,
  actor: Actor,
  { id, run: runId }: { id: number; run?: number | undefined },
) {
  const source = await getBareSource(app, actor, id);
  const run = runId === undefined ? undefined : await getRun(app, actor, runId);
  if (run !== undefined && run.sourceId !== id) {
    throw new AppError('not_found', `The source has no run ${run.id}.`);
  }
  return { source, run, which: waitingOf(source, run) };
}

/** Which drafts are meant by a source, or by one of its runs. */
export function waitingOf({ name }: Source, run?: SourceRun): OfSource {
  return { source: name, from: run?.createdAt, to: run?.endedAt };
}

function pathOf(id: number, run: number | undefined): string {
  return `/sources/${id}/accept${run === undefined ? '' : `?run=${run}`}`;
}

/** The number of drafts that wait, with the way to accept them at once. */
export function WaitingDrafts({
  source,
  run,
  waiting,
}: {
  source: Source;
  run?: SourceRun;
  waiting: Waiting;
}) {
  const { say, at, format } = useShown();
  const { drafts, batches } = waiting;
  if (drafts === 0) return null;
  return (
    <>
      <p>{say.sources.waiting(format.number(drafts), format.number(batches.size))}</p>
      <div class="buttons">
        <a class="button" href={at(pathOf(source.id, run?.id))}>
          {say.documents.batch.approveAll}
        </a>
      </div>
    </>
  );
}

interface AcceptProps {
  source: Source;
  run: SourceRun | undefined;
  waiting: Waiting;
  named: { id: string; fileName: string }[];
}

function Accept({ source, run, waiting: { drafts, batches }, named }: AcceptProps) {
  const { say, at, format } = useShown();
  const words = say.documents.approve;
  const count = format.number(drafts);
  const above = run === undefined ? `/sources/${source.id}` : `/sources/runs/${run.id}`;
  return (
    <>
      <p class="above">
        <a href={at(above)}>
          {source.name}
          {run === undefined ? null : (
            <>
              , <Time iso={run.createdAt} />
            </>
          )}
        </a>
      </p>
      {drafts === 0 ? (
        <h1>{say.labels.allDecided}</h1>
      ) : (
        <>
          <h1>{words.title(count)}</h1>
          <p>{say.sources.waiting(count, format.number(batches.size))}</p>
          <ul class="examples">
            {named.map(({ id, fileName }) => (
              <li key={id}>
                <a href={at(batchPath(id))}>{fileName}</a>
              </li>
            ))}
            {batches.size > named.length ? (
              <li>{say.labels.andMore(format.number(batches.size - named.length))}</li>
            ) : null}
          </ul>
          <Form action="accept" to={pathOf(source.id, run?.id)}>
            <input type="hidden" name="count" value={drafts} />
            {run === undefined ? null : <input type="hidden" name="run" value={run.id} />}
            <p>{words.what}</p>
            <div class="buttons">
              <button class="main">{words.button(count)}</button>
              <a class="button" href={at(above)}>
                {say.labels.cancel}
              </a>
            </div>
          </Form>
        </>
      )}
    </>
  );
}
