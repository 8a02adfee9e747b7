import { z } from 'zod';
import { getBareSource } from '../../sources/read-sources.js';
import type { Source } from '../../sources/source.js';
import {
  countGone,
  listGone,
  takeBackGone,
  type WeighedGone,
} from '../../sources/take-back-gone.js';
import { batchPath } from '../documents/batch-params.js';
import { Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Tick, TickAll } from '../layout/tick.js';
import { action, page } from '../page.js';

/** The most that one form takes back. */
const mostAtOnce = 200;

const params = z.object({ id: z.coerce.number().int().min(1).max(999_999_999_999_999) });
/** The ticked documents, each on a line. */
const ticked = z
  .string()
  .max(mostAtOnce * 40)
  .transform((text) => text.split('\n'))
  .pipe(z.array(z.uuid()));

/** Asks which of the documents that are gone at a source are taken back. */
export const gonePage = page({
  path: '/sources/:id/gone',
  access: 'knowledge.write',
  params,
  async show(app, { actor, params: { id } }) {
    const source = await getBareSource(app, actor, id);
    const gone = await listGone(app, actor, id, mostAtOnce);
    const body = <Gone source={source} gone={gone} />;
    return { title: source.name, section: '/sources', body };
  },
  actions: {
    takeBack: action({
      params,
      form: z.object({ gone: ticked.optional() }),
      async act(app, { actor, params: { id }, form: { gone } }) {
        // Also of nothing: the source must be one of theirs.
        const left = await takeBackGone(app, actor, id, gone ?? []);
        if (gone === undefined) return { to: pathOf(id), done: 'noneTicked' };
        const isRest = (await countGone(app, actor, id)) > 0;
        const done = left > 0 ? 'goneReadAgain' : 'goneTakenBack';
        return { to: isRest ? pathOf(id) : `/sources/${id}`, done };
      },
    }),
  },
});

function pathOf(id: number): string {
  return `/sources/${id}/gone`;
}

/** How many documents are gone at a source, with the way to take them back. */
export function GoneDocuments({ source, gone }: { source: Source; gone: number }) {
  const { say, at, format } = useShown();
  if (gone === 0) return null;
  return (
    <>
      <p>{say.sources.goneTitle(format.number(gone))}</p>
      <div class="buttons">
        <a class="button" href={at(pathOf(source.id))}>
          {say.sources.takeBack}
        </a>
      </div>
    </>
  );
}

function Gone({
  source,
  gone: { items, total },
}: {
  source: Source;
  gone: { items: WeighedGone[]; total: number };
}) {
  const { say, at, format } = useShown();
  const words = say.sources;
  const above = at(`/sources/${source.id}`);
  return (
    <>
      <p class="above">
        <a href={above}>{source.name}</a>
      </p>
      <h1>{total === 0 ? words.goneNone : words.goneTitle(format.number(total))}</h1>
      {total === 0 ? null : (
        <Form action="takeBack" to={pathOf(source.id)}>
          <p>{words.goneWhat}</p>
          <Table
            caption={words.statuses.gone}
            columns={[words.page, words.counts.published, words.goneDrafts]}
          >
            {items.map((one) => (
              <GoneRow key={one.batchId} gone={one} />
            ))}
          </Table>
          {total > items.length ? (
            <p>{say.labels.andMore(format.number(total - items.length))}</p>
          ) : null}
          <div class="bulk">
            <TickAll checked />
            <div class="changes">
              <button class="main">{words.takeBackTicked}</button>
              <a class="button" href={above}>
                {say.labels.cancel}
              </a>
            </div>
          </div>
        </Form>
      )}
    </>
  );
}

function GoneRow({ gone: { address, batchId, published, drafts } }: { gone: WeighedGone }) {
  const { at, format } = useShown();
  return (
    <Row
      name={
        <span class="tick">
          <Tick name="gone" value={batchId} of={address} checked />
          <a href={at(batchPath(batchId))}>{address}</a>
        </span>
      }
      cells={[format.number(published), format.number(drafts)]}
    />
  );
}
