import { z } from 'zod';
import {
  findInDrafts,
  mostReplaced,
  putTextsBack,
  replaceInDrafts,
  type FoundDraft,
} from '../../ingestion/review/replace-in-drafts.js';
import { getBareBatch } from '../../ingestion/review/review-batch.js';
import { Differences } from '../layout/difference.js';
import { Form, TextArea } from '../layout/form.js';
import { RefusedEntries } from '../layout/refused-entries.js';
import { useShown } from '../layout/shown.js';
import type { ChangedEach } from '../../knowledge/change-entries.js';
import { action, page } from '../page.js';
import { namedVersions, versionText } from '../layout/named-versions.js';
import { batchParams, batchPath } from './batch-params.js';
import { reviewPath } from './review-path.js';

const section = '/documents';
/** Drafts whose change is shown before it is made. */
const examples = 10;

const linesAround = 2;

/** A text as a browser sends it. An address holds two of them in any script. */
const typed = z
  .string()
  .max(500)
  .transform((text) => text.replaceAll('\r\n', '\n'));
/** What a refused form said, without a text that no draft can be searched for. */
const refused = z.object({ find: typed.catch(''), replacement: typed.catch('') });
const draft = z.coerce.number().int().min(1).optional().catch(undefined);

interface Wanted {
  batchId: string;
  find: string;
  replacement: string;
  /** The draft of the review that led here. */
  draft?: number | undefined;
}

/** Replaces a text in all open drafts of a document: what it repeats is corrected once. */
export const replacePage = page({
  path: '/documents/:id/replace',
  access: 'knowledge.write',
  params: batchParams,
  query: z.object({ find: typed.default(''), replacement: typed.default(''), draft }),
  async show(app, { actor, params, query, fault, say }) {
    const batch = await getBareBatch(app, actor, params.id);
    const { find, replacement } = fault === undefined ? query : refused.parse(fault.values);
    const wanted = { batchId: batch.id, find, replacement, draft: query.draft };
    const seen = wanted.find === '' ? undefined : await findInDrafts(app, actor, wanted);
    return {
      title: say.documents.replacing.title,
      section,
      body: <Replace fileName={batch.fileName} wanted={wanted} seen={seen} />,
    };
  },
  actions: {
    replace: action({
      params: batchParams,
      form: z.object({
        find: typed,
        replacement: typed.default(''),
        draft,
        told: z.coerce.number().int().min(0),
      }),
      async act(app, { actor, params, form, say }) {
        const wanted = { batchId: params.id, ...form };
        const { left, ...done } = await replaceInDrafts(app, actor, wanted);
        const title = say.documents.replacing.title;
        return { title, section, body: <Outcome wanted={wanted} done={done} left={left} /> };
      },
    }),
    undo: action({
      params: batchParams,
      form: z.object({ drafts: namedVersions, find: typed, replacement: typed.default(''), draft }),
      async act(app, { actor, params, form, say }) {
        const wanted = { batchId: params.id, ...form };
        const done = await putTextsBack(app, actor, form.drafts);
        const title = say.documents.replacing.title;
        return { title, section, body: <Outcome wanted={wanted} done={done} left={0} isUndo /> };
      },
    }),
  },
});

function replacePath({ batchId, draft }: Pick<Wanted, 'batchId' | 'draft'>): string {
  return `${batchPath(batchId)}/replace${draft === undefined ? '' : `?draft=${draft}`}`;
}

interface ReplaceProps {
  fileName: string;
  wanted: Wanted;
  seen: { found: FoundDraft[]; open: number } | undefined;
}

function Replace({ fileName, wanted, seen }: ReplaceProps) {
  const { say, at } = useShown();
  const words = say.documents.replacing;
  const { batchId, find, replacement, draft } = wanted;
  return (
    <>
      <p class="crumbs">
        <a href={at(section)}>{say.documents.title}</a> ›{' '}
        <a href={at(batchPath(batchId))}>{fileName}</a>
      </p>
      <h1>{words.title}</h1>
      <p>{words.what}</p>
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
        <div class="buttons">
          <button class={seen === undefined || seen.found.length === 0 ? 'main' : ''}>
            {words.look}
          </button>
          <BackToReview {...wanted} />
        </div>
      </form>
      {seen === undefined ? null : <Preview wanted={wanted} {...seen} />}
    </>
  );
}

function Preview({ wanted, found, open }: { wanted: Wanted; found: FoundDraft[]; open: number }) {
  const { say, format, at } = useShown();
  const words = say.documents.replacing;
  const count = Math.min(found.length, mostReplaced);
  if (count === 0) return <p role="status">{words.none(format.number(open))}</p>;
  return (
    <section aria-labelledby="found">
      <h2 id="found" tabIndex={-1} data-focus>
        {words.found(format.number(found.length), format.number(open))}
      </h2>
      <Form action="replace" to={replacePath(wanted)}>
        <Kept {...wanted} />
        <input type="hidden" name="told" value={found.length} />
        {found.length > count ? <p>{words.mostAtOnce(format.number(count))}</p> : null}
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
      {found.length > examples ? (
        <p>{say.labels.andMore(format.number(found.length - examples))}</p>
      ) : null}
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
  left: number;
  isUndo?: boolean;
}

/** Seen only once, since the undo names what was changed. */
function Outcome({ wanted, done, left, isUndo = false }: OutcomeProps) {
  const { say, format, at } = useShown();
  const words = say.documents.replacing;
  const count = format.number(done.changed.length);
  const drafts = done.changed.flatMap(({ after }) =>
    after === undefined ? [] : [versionText({ name: after.uuid, version: after.version })],
  );
  return (
    <>
      <h1>{words.title}</h1>
      <div class="done" role="status" tabIndex={-1} data-focus>
        <p>
          {isUndo ? words.undone(count) : words.done(count)}
          {left === 0 ? '' : ` ${words.left(format.number(left))}`}
        </p>
        {drafts.length === 0 || isUndo ? null : (
          <Form action="undo" to={replacePath(wanted)}>
            <Kept {...wanted} />
            <input type="hidden" name="drafts" value={drafts.join('\n')} />
            <button>{say.documents.reviewing.undo}</button>
          </Form>
        )}
      </div>
      <RefusedEntries
        title={words.refused(format.number(done.refused.length))}
        refused={done.refused}
      />
      <div class="buttons">
        <BackToReview {...wanted} />
        <a class="button" href={at(replacePath(wanted))}>
          {words.another}
        </a>
      </div>
    </>
  );
}

function Kept({ find, replacement, draft }: Wanted) {
  return (
    <>
      <input type="hidden" name="find" value={find} />
      <input type="hidden" name="replacement" value={replacement} />
      {draft === undefined ? null : <input type="hidden" name="draft" value={draft} />}
    </>
  );
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
