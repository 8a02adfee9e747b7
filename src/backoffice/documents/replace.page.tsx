import { z } from 'zod';
import {
  findInDrafts,
  replaceInDrafts,
  type FoundText,
} from '../../ingestion/review/replace-in-drafts.js';
import { getBareBatch } from '../../ingestion/review/review-batch.js';
import {
  listReplacements,
  undoReplacement,
  type UndoableReplacement,
} from '../../ingestion/review/undo-replacement.js';
import { listEntries } from '../../knowledge/read-entries.js';
import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { shorten } from '../../platform/text/shorten.js';
import { UndoForm } from '../layout/change-outcome.js';
import { Checkbox, FaultSummary, TextArea } from '../layout/form.js';
import { namedVersions } from '../layout/named-versions.js';
import { queryText } from '../layout/pager.js';
import { Refusal } from '../layout/refusal.js';
import { useShown } from '../layout/shown.js';
import { action, page } from '../page.js';
import { batchParams, batchPath } from './batch-params.js';
import { BackToReview, Outcome, Published, undoOf, type Standing } from './replace-outcome.js';
import { Emptied, listed, Preview } from './replace-preview.js';
import { keptOf, type Wanted } from './replace-path.js';

const section = '/documents';

/** A text as a browser sends it. An address holds two of them in any script. */
const typed = z
  .string()
  .max(500)
  .transform((text) => text.replaceAll('\r\n', '\n'));
const ticked = z
  .literal('on')
  .optional()
  .transform((box) => box === 'on');
const exchange = {
  find: typed.default(''),
  replacement: typed.default(''),
  whole_lines: ticked,
  draft: z.coerce.number().int().min(1).optional().catch(undefined),
};
/** What a refused form said, without what no draft can be searched for. */
const refused = z.object({ find: typed.catch(''), replacement: typed.catch('') });

/** Replaces a text in all open drafts of a document: what it repeats is corrected once. */
export const replacePage = page({
  path: '/documents/:id/replace',
  access: 'knowledge.write',
  params: batchParams,
  query: z.object(exchange),
  async show(app, { actor, params, query, fault, say }) {
    const batch = await getBareBatch(app, actor, params.id);
    const { find, replacement } = fault === undefined ? query : refused.parse(fault.values);
    const wholeLines =
      fault === undefined ? query.wholeLines : fault.values['whole_lines'] === 'on';
    const wanted = { batchId: batch.id, find, replacement, wholeLines, draft: query.draft };
    const seen = find === '' ? undefined : await look(app, actor, wanted);
    const standing =
      seen === undefined || seen instanceof AppError
        ? undefined
        : await findPublished(app, actor, { ...seen, document: batch.document, find });
    const lately = await listReplacements(app, actor, batch.id);
    return {
      title: say.documents.replacing.title,
      section,
      body: (
        <Replace
          fileName={batch.fileName}
          wanted={wanted}
          seen={seen}
          standing={standing}
          lately={lately}
        />
      ),
    };
  },
  actions: {
    replace: action({
      params: batchParams,
      form: z.object({ ...exchange, entry: namedVersions.optional() }),
      async act(app, { actor, params, form: { entry: drafts, ...form }, say }) {
        const wanted = { batchId: params.id, ...form };
        if (drafts === undefined) {
          const to = `${batchPath(params.id)}/replace?${queryText(keptOf(wanted))}`;
          return { to, done: 'noneTicked' };
        }
        const done = await replaceInDrafts(app, actor, { ...wanted, drafts });
        const { document } = await getBareBatch(app, actor, params.id);
        const { find } = form;
        const standing = await findPublished(app, actor, { ...done, document, find });
        const title = say.documents.replacing.title;
        return {
          title,
          section,
          body: <Outcome wanted={wanted} done={done} standing={standing} change={done.id} />,
        };
      },
    }),
    undo: action({
      params: batchParams,
      form: z.object({ change: z.uuid(), draft: exchange.draft }),
      async act(app, { actor, params, form: { change: id, draft }, say }) {
        const wanted = { batchId: params.id, draft };
        const done = await undoReplacement(app, actor, { batchId: params.id, id });
        const title = say.documents.replacing.title;
        return { title, section, body: <Outcome wanted={wanted} done={done} /> };
      },
    }),
  },
});

/** The drafts with the text, or why they can't be searched: the form stays as it was typed. */
async function look(app: App, actor: Actor, wanted: Wanted): Promise<FoundText | AppError> {
  try {
    return await findInDrafts(app, actor, wanted, listed);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The list of entries finds words: where the text has none that it finds, all entries of the document are listed. */
async function findPublished(
  app: App,
  actor: Actor,
  { published: count, document, find }: { published: number; document: string; find: string },
): Promise<Standing | undefined> {
  if (count === 0) return undefined;
  const filter = { document, status: 'published', q: shorten(find, 200) } as const;
  const { total } = await listEntries(app, actor, { ...filter, page: 1, limit: 1 });
  const { q, ...rest } = filter;
  return { count, path: `/knowledge?${queryText(total < count ? rest : { q, ...rest })}` };
}

interface ReplaceProps {
  fileName: string;
  wanted: Wanted;
  seen: FoundText | AppError | undefined;
  standing: Standing | undefined;
  lately: readonly UndoableReplacement[];
}

function Replace({ fileName, wanted, seen, standing, lately }: ReplaceProps) {
  const { say, format, at } = useShown();
  const words = say.documents.replacing;
  const { batchId, find, replacement, wholeLines, draft } = wanted;
  const found = seen === undefined || seen instanceof AppError ? undefined : seen;
  const isFound = found !== undefined && found.changed.total > 0;
  return (
    <>
      <p class="crumbs">
        <a href={at(section)}>{say.documents.title}</a> ›{' '}
        <a href={at(batchPath(batchId))}>{fileName}</a>
      </p>
      <h1>{words.title}</h1>
      <p>{words.what}</p>
      {isFound ? null : <FaultSummary />}
      {seen instanceof AppError ? (
        <p class="fault" role="alert">
          <Refusal of={seen} />
        </p>
      ) : null}
      <form method="get" action={at(`${batchPath(batchId)}/replace`)} class="form">
        {draft === undefined ? null : <input type="hidden" name="draft" value={draft} />}
        <TextArea of="look" name="find" label={words.find} value={find} rows={2} required />
        <TextArea
          of="look"
          name="replacement"
          label={words.replacement}
          hint={words.replacementHint}
          value={replacement}
          rows={2}
        />
        <Checkbox of="look" name="whole_lines" label={words.wholeLines} checked={wholeLines} />
        <div class="buttons">
          <button class={isFound ? '' : 'main'}>{words.look}</button>
          <BackToReview {...wanted} />
        </div>
      </form>
      {found === undefined ? null : (
        <>
          {isFound || found.emptied.total > 0 ? null : (
            <p role="status">{words.none(format.number(found.open))}</p>
          )}
          <Emptied batchId={batchId} {...found.emptied} />
          <Published standing={standing} />
          <Preview wanted={wanted} found={found} />
        </>
      )}
      <Lately wanted={wanted} lately={lately} />
    </>
  );
}

/** What was replaced in the document before, as long as it can be undone. */
function Lately({ wanted, lately }: Pick<ReplaceProps, 'wanted' | 'lately'>) {
  const { say, format } = useShown();
  const words = say.documents.replacing;
  if (lately.length === 0) return null;
  return (
    <section aria-labelledby="lately">
      <h2 id="lately">{words.lately}</h2>
      {lately.map(({ id, drafts, ...texts }) => {
        const [find, replacement] = [shorten(texts.find, 80), shorten(texts.replacement, 80)];
        const count = format.number(drafts);
        return (
          <div key={id} class="done">
            <p>
              {replacement === ''
                ? words.takenOut(find, count)
                : words.became(find, replacement, count)}
            </p>
            <UndoForm {...undoOf(wanted, id)} />
          </div>
        );
      })}
    </section>
  );
}
