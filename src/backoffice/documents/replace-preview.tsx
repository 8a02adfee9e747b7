import type { FoundDraft, FoundText } from '../../ingestion/review/replace-in-drafts.js';
import { Differences } from '../layout/difference.js';
import { Form, Hidden } from '../layout/form.js';
import { versionText } from '../layout/named-versions.js';
import { useShown } from '../layout/shown.js';
import { Tick, TickAll } from '../layout/tick.js';
import { keptOf, replacePath, type Wanted } from './replace-path.js';
import { reviewPath } from './review-path.js';

/** The most drafts that one form changes, with a box each; and how many of them are shown with what changes. */
export const listed = { named: 500, shown: 10 };

/** The drafts in which a text stands, each with a box: a draft that is not ticked stays as it is. */
export function Preview({ wanted, found }: { wanted: Wanted; found: FoundText }) {
  const { say, format } = useShown();
  const words = say.documents.replacing;
  const { changed, open } = found;
  const { total, first } = changed;
  if (total === 0) return null;
  return (
    <section aria-labelledby="found">
      <h2 id="found" tabIndex={-1} data-focus>
        {words.found(format.number(total), format.number(open))}
      </h2>
      <Form action="replace" to={replacePath(wanted)}>
        <Hidden values={keptOf(wanted)} />
        <p>{words.counts}</p>
        {total > first.length ? <p>{words.mostAtOnce(format.number(first.length))}</p> : null}
        <div class="buttons">
          <button class="main">{words.button}</button>
          <TickAll checked />
        </div>
        {first.map((draft) => (
          <Found key={draft.id} batchId={wanted.batchId} draft={draft} />
        ))}
      </Form>
    </section>
  );
}

function Found({ batchId, draft }: { batchId: string; draft: FoundDraft }) {
  const { at } = useShown();
  const { id, uuid: name, version, title, language, texts } = draft;
  const box = (
    <>
      <Tick name="entry" value={versionText({ name, version })} of={title} checked />
      <a href={at(reviewPath(batchId, { draft: id }))} lang={language}>
        {title}
      </a>
    </>
  );
  if (texts === undefined) return <p class="tick">{box}</p>;
  const [before, after] = texts;
  return (
    <section>
      <h3 class="tick">{box}</h3>
      <Differences
        lang={language}
        texts={[
          ...(before.title === after.title ? [] : [[before.title, after.title] as const]),
          ...(before.content === after.content ? [] : [[before.content, after.content] as const]),
        ]}
      />
    </section>
  );
}

interface EmptiedProps {
  batchId: string;
  total: number;
  first: readonly { id: number; title: string }[];
}

/** The drafts of which nothing would be left: they stay as they are. */
export function Emptied({ batchId, total, first }: EmptiedProps) {
  const { say, format, at } = useShown();
  if (total === 0) return null;
  return (
    <section class="note">
      <p>{say.documents.replacing.emptied(format.number(total))}</p>
      <ul>
        {first.map(({ id, title }) => (
          <li key={id}>
            <a href={at(reviewPath(batchId, { draft: id }))}>{title}</a>
          </li>
        ))}
        {total > first.length ? (
          <li>{say.labels.andMore(format.number(total - first.length))}</li>
        ) : null}
      </ul>
    </section>
  );
}
