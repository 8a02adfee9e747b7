import { z } from 'zod';
import { countWaiting } from '../../ingestion/review/approve-waiting.js';
import { visibilities } from '../../platform/actor.js';
import {
  createSource,
  deleteSource,
  requestRun,
  updateSource,
} from '../../sources/manage-sources.js';
import { getRun, getSource, listRuns, listSources } from '../../sources/read-sources.js';
import { type Preview, previewPages, previewShortly } from '../../sources/preview-source.js';
import { countGone } from '../../sources/take-back-gone.js';
import { policies } from '../../sources/source.js';
import { pageNumber, rowsPerPage } from '../layout/pager.js';
import { action, page, type View } from '../page.js';
import { acceptPage, waitingOf } from './accept.page.js';
import { gonePage } from './gone.page.js';
import { RunPage, SourcePage } from './source-view.js';
import { Sources } from './sources-view.js';

const params = z.object({ id: z.coerce.number().int().min(1).max(999_999_999_999_999) });
const few = { page: 1, limit: 10 };

/** An empty field means null. */
const numberField = (most: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{0,6}$/, 'must be a whole number')
    .transform((text) => (text === '' ? null : Number(text)))
    .pipe(z.number().int().min(1).max(most).nullable());
const lines = z
  .string()
  .max(50_000)
  .transform((text) =>
    text
      .split(/\r\n?|\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  )
  .pipe(z.array(z.string().max(500)).max(100));
const address = z.string().trim().min(1).max(1000);
const common = { policy: z.enum(policies), every_minutes: numberField(525_600) };

const created = z.object({ ...common, address, name: z.string().trim().min(1).max(100) });
const saved = z.object({
  ...common,
  address: address.optional(),
  visibility: z.enum(['', ...visibilities]).transform((tier) => (tier === '' ? null : tier)),
  include: lines,
  exclude: lines,
  report_to: numberField(999_999).optional(),
  depth: numberField(100).optional(),
  most_pages: numberField(100_000).optional(),
  render: z
    .literal('on')
    .optional()
    .transform((on) => on === 'on'),
});

type Showing = (...given: Parameters<typeof getSource>) => Promise<View>;

function shown(preview?: Preview): Showing {
  return async (app, actor, id) => {
    const source = await getSource(app, actor, id);
    const runs = await listRuns(app, actor, id, few);
    const waiting = await countWaiting(app, actor, waitingOf(source));
    const gone = await countGone(app, actor, id);
    const known = { source, runs, waiting, gone, previewPages };
    const body =
      preview === undefined ? (
        <SourcePage {...known} />
      ) : (
        <SourcePage {...known} preview={preview} />
      );
    return { title: source.name, section: '/sources', body };
  };
}

export const sourcePages = [
  acceptPage,
  gonePage,
  page({
    path: '/sources',
    access: 'knowledge.write',
    query: z.object({ page: pageNumber }),
    async show(app, { actor, query, say }) {
      const listed = await listSources(app, actor, { page: query.page, limit: rowsPerPage });
      return {
        title: say.sources.title,
        list: { page: query.page, total: listed.total },
        body: <Sources page={query.page} listed={listed} />,
      };
    },
    actions: {
      create: action({
        form: created,
        async act(app, { actor, form }) {
          const { id } = await createSource(app, actor, form);
          return { to: `/sources/${id}`, done: 'saved' };
        },
      }),
    },
  }),
  page({
    path: '/sources/:id',
    access: 'knowledge.write',
    params,
    show: (app, { actor, params: { id } }) => shown()(app, actor, id),
    actions: {
      save: action({
        params,
        form: saved,
        done: 'saved',
        act: (app, { actor, params: { id }, form }) => updateSource(app, actor, id, form),
      }),
      run: action({
        params,
        done: 'sourceAsked',
        act: (app, { actor, params: { id } }) => requestRun(app, actor, id),
      }),
      preview: action({
        params,
        async act(app, { actor, params: { id } }) {
          return shown(await previewShortly(app, actor, id))(app, actor, id);
        },
      }),
      delete: action({
        params,
        form: z.object({ sure: z.literal('on') }),
        async act(app, { actor, params: { id } }) {
          await deleteSource(app, actor, id);
          return { to: '/sources', done: 'deleted' };
        },
      }),
    },
  }),
  page({
    path: '/sources/runs/:id',
    access: 'knowledge.write',
    params,
    async show(app, { actor, params }) {
      const run = await getRun(app, actor, params.id);
      const source = await getSource(app, actor, run.sourceId);
      const waiting = await countWaiting(app, actor, waitingOf(source, run));
      const body = <RunPage source={source} run={run} waiting={waiting} />;
      return { title: source.name, section: '/sources', body };
    },
  }),
];
