import { z } from 'zod';
import {
  findInDrafts,
  putTextsBack,
  replaceInDrafts,
  type FoundText,
  type Replacement,
} from '../../ingestion/review/replace-in-drafts.js';
import { getBareBatch } from '../../ingestion/review/review-batch.js';
import { Differences } from '../layout/difference.js';
import { Checkbox, FaultSummary, Form, Hidden, TextArea } from '../layout/form.js';
import { Refusal } from '../layout/refusal.js';
import { ChangeOutcome } from '../layout/change-outcome.js';
import { useShown } from '../layout/shown.js';
import type { ChangedEach } from '../../knowledge/change-entries.js';
import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { action, page } from '../page.js';
import { namedVersions, versionText } from '../layout/named-versions.js';
import { batchParams, batchPath } from './batch-params.js';
import { reviewPath } from './review-path.js';

const section = '/documents';
/** Drafts whose change is shown before it is made. */
const examples = 10;
/** Lines that are shown above and below those that change. */
const linesAround = 2;

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

interface Wanted extends Replacement {
  /** The draft of the review that led here. */
  draft?: number | undefined;
}

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
    return {
      title: say.documents.replacing.title,
      section,
      body: <Replace fileName={batch.fileName} wanted={wanted} seen={seen} />,
    };
  },
  actions: {
    replace: action({
      params: batchParams,
      form: z.object({ ...exchange, seen: z.string().max(64) }),
      async act(app, { actor, params, form, say }) {
        const wanted = { batchId: params.id, ...form };
        const done = await replaceInDrafts(app, actor, wanted);
        const title = say.documents.replacing.title;
        return { title, section, body: <Outcome wanted={wanted} done={done} /> };
      },
    }),
    undo: action({
      params: batchParams,
      form: z.object({ ...exchange, drafts: namedVersions }),
      async act(app, { actor, params, form, say }) {
        const wanted = { batchId: params.id, ...form };
        const done = await putTextsBack(app, actor, form.drafts);
        const title = say.documents.replacing.title;
        return { title, section, body: <Outcome wanted={wanted} done={done} isUndo /> };
      },
    }),
  },
});

/** The drafts with the text, or why they can't be searched: the form stays as it was typed. */
async function look(app: App, actor: Actor, wanted: Wanted): Promise<FoundText | AppError> {
  try {
    return await findInDrafts(app, actor, wanted);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function replacePath({ batchId, draft }: Pick<Wanted, 'batchId' | 'draft'>): string {
  return `${batchPath(batchId)}/replace${draft === undefined ? '' : `?draft=${draft}`}`;
}

interface ReplaceProps {
  fileName: string;
  wanted: Wanted;
  seen: FoundText | AppError | undefined;
}

function Replace({ fileName, wanted, seen }: ReplaceProps) {
  const { say, at } = useShown();
  const words = say.documents.replacing;
  const { batchId, find, replacement, wholeLines, draft } = wanted;
  const found = seen === undefined || seen instanceof AppError ? undefined : seen;
  return (
    <>
      <p class="crumbs">
        <a href={at(section)}>{say.documents.title}</a> ›{' '}
        <a href={at(batchPath(batchId))}>{fileName}</a>
      </p>
      <h1>{words.title}</h1>
      <p>{words.what}</p>
      {found === undefined || found.found.length === 0 ? <FaultSummary /> : null}
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
          <button class={found === undefined || found.found.length === 0 ? 'main' : ''}>
            {words.look}
          </button>
          <BackToReview {...wanted} />
        </div>
      </form>
      {found === undefined ? null : <Preview wanted={wanted} {...found} />}
    </>
  );
}

function Preview({ wanted, found, open, seen }: FoundText & { wanted: Wanted }) {
  const { say, format, at } = useShown();
  const words = say.documents.replacing;
  const count = found.length;
  if (count === 0) return <p role="status">{words.none(format.number(open))}</p>;
  return (
    <section aria-labelledby="found">
      <h2 id="found" tabIndex={-1} data-focus>
        {words.found(format.number(count), format.number(open))}
      </h2>
      <Form action="replace" to={replacePath(wanted)}>
        <Hidden values={keptOf(wanted)} />
        <input type="hidden" name="seen" value={seen} />
        <p>{words.counts}</p>
        <div class="buttons">
          <button class="main">{words.button(format.number(count))}</button>
        </div>
      </Form>
      {found.slice(0, examples).map(({ entry, after }) => (
        <section key={entry.id}>
          <h3 lang={entry.language}>
            <a href={at(reviewPath(wanted.batchId, { draft: entry.id }))}>{entry.title}</a>
          </h3>
          <Differences
            lang={entry.language}
            texts={[
              ...(entry.title === after.title ? [] : [[entry.title, after.title] as const]),
              ...(entry.content === after.content
                ? []
                : [changedLines(entry.content, after.content)]),
            ]}
          />
        </section>
      ))}
      {count > examples ? <p>{say.labels.andMore(format.number(count - examples))}</p> : null}
    </section>
  );
}

/** Both texts from the first line that differs to the last, with the lines around. */
function changedLines(before: string, after: string): [before: string, after: string] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const least = Math.min(old.length, now.length);
  let start = 0;
  while (start < least && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < least - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const from = Math.max(0, start - linesAround);
  const part = (lines: string[]) =>
    lines.slice(from, lines.length - Math.max(0, end - linesAround)).join('\n');
  return [part(old), part(now)];
}

interface OutcomeProps {
  wanted: Wanted;
  done: ChangedEach;
  isUndo?: boolean;
}

function Outcome({ wanted, done, isUndo = false }: OutcomeProps) {
  const { say, format, at } = useShown();
  const words = say.documents.replacing;
  const count = format.number(done.changed.length);
  const drafts = done.changed.flatMap(({ after }) =>
    after === undefined ? [] : [versionText({ name: after.uuid, version: after.version })],
  );
  return (
    <ChangeOutcome
      title={words.title}
      told={isUndo ? words.undone(count) : words.done(count)}
      undo={
        drafts.length === 0 || isUndo
          ? undefined
          : {
              to: replacePath(wanted),
              values: { ...keptOf(wanted), drafts: drafts.join('\n') },
            }
      }
      refused={done.refused}
      refusedTitle={words.refused}
    >
      <div class="buttons">
        <BackToReview {...wanted} />
        <a class="button" href={at(replacePath(wanted))}>
          {words.another}
        </a>
      </div>
    </ChangeOutcome>
  );
}

/** The fields of a form that goes on with the exchange. */
function keptOf({ find, replacement, wholeLines, draft }: Wanted): Record<string, string> {
  return {
    ...{ find, replacement },
    ...(wholeLines ? { whole_lines: 'on' } : {}),
    ...(draft === undefined ? {} : { draft: String(draft) }),
  };
}

function BackToReview({ batchId, draft }: Wanted) {
  const { say, at } = useShown();
  const review = `${batchPath(batchId)}/review`;
  return (
    <a class="button" href={at(draft === undefined ? review : reviewPath(batchId, { draft }))}>
      {say.documents.replacing.back}
    </a>
  );
}
