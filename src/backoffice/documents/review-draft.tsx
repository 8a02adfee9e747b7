import { pagesOf } from '../../ingestion/batches/batch.schema.js';
import type { ReviewedDraft } from '../../ingestion/review/read-review.js';
import { Differences } from '../layout/difference.js';
import { Markdown } from '../layout/markdown.js';
import { useShown } from '../layout/shown.js';
import { DraftBadge } from './batch-drafts.js';
import { batchPath } from './batch-params.js';

interface DraftTextProps {
  batchId: string;
  draft: ReviewedDraft;
  /** Its text as people see it. */
  seen: string;
}

/** A draft as its reviewer reads it: facts, warnings, and the text with its changes. */
export function DraftText({ batchId, draft, seen }: DraftTextProps) {
  const { say } = useShown();
  const words = say.documents.reviewing;
  const { title, content, language } = draft.draft;
  const old = draft.replaced;
  const text = (
    <div data-text>
      <Markdown text={seen} language={language} />
    </div>
  );
  return (
    <>
      <Facts batchId={batchId} draft={draft} />
      <Warnings draft={draft} />
      {old === undefined ? null : (
        <section aria-labelledby="changes">
          <h2 id="changes">{words.changes}</h2>
          <Differences
            lang={language}
            texts={[
              ...(old.title === title ? [] : [[old.title, title] as const]),
              [old.content, content],
            ]}
          />
          <details data-keys="o">
            <summary>{words.oldText}</summary>
            <div lang={old.language}>
              <p>
                <strong>{old.title}</strong>
              </p>
              <div class="text">{old.content}</div>
            </div>
          </details>
        </section>
      )}
      {old === undefined ? (
        <section aria-labelledby="text">
          <h2 id="text">{say.labels.text}</h2>
          {text}
        </section>
      ) : (
        <details>
          <summary>{words.newText}</summary>
          {text}
        </details>
      )}
    </>
  );
}

function Facts({ batchId, draft }: { batchId: string; draft: ReviewedDraft }) {
  const { say, at } = useShown();
  const words = say.documents;
  const { pageFrom, language, visibility, domain, urlPattern, edited } = draft.draft;
  const pages = pagesOf(draft.draft);
  const place = [domain ?? words.wholeApp, ...(urlPattern === null ? [] : [urlPattern])].join(' ');
  return (
    <ul class="fact-line">
      {draft.state === 'draft' ? null : (
        <li>
          <DraftBadge state={draft.state} />
        </li>
      )}
      {pageFrom === null ? null : (
        <li>
          <a href={at(`${batchPath(batchId)}/file#page=${pageFrom}`)} data-jump>
            {say.labels.page(pages)}
          </a>
        </li>
      )}
      <li>{say.tiers[visibility]}</li>
      <li>{draft.replaced === undefined ? place : words.reviewing.keepsPlace}</li>
      <li>{say.insights.languages[language]}</li>
      {edited ? <li>{words.reviewing.edited}</li> : null}
    </ul>
  );
}

/** The most pages, and the most hidden texts, that are shown with a draft. */
const mostHidden = 5;

function Warnings({ draft }: { draft: ReviewedDraft }) {
  const { say, format } = useShown();
  const words = say.documents.reviewing;
  const { replaced, hiddenText, doubtfulPages } = draft;
  const found = hiddenText.length + doubtfulPages.length;
  if (replaced === undefined && !draft.takenBack && found === 0) return null;
  return (
    <section class="note" aria-labelledby="warnings">
      <h2 id="warnings">{words.warnings}</h2>
      <ul>
        {replaced === undefined ? null : (
          <li>
            {words.replaces(String(replaced.id), replaced.title)}
            {replaced.edited ? <strong> {words.replacesEdited}</strong> : null}
          </li>
        )}
        {draft.takenBack ? <li>{words.takenBack}</li> : null}
        {doubtfulPages.slice(0, mostHidden).map(({ page, confidence }) => (
          <li key={page}>{words.doubtfulOn(format.number(page), format.number(confidence))}</li>
        ))}
        {hiddenText.slice(0, mostHidden).map(({ page, reason, text }, index) => (
          <li key={index}>
            {reason === 'unchecked' ? (
              words.uncheckedOn(format.number(page))
            ) : (
              <>
                {words.hiddenOn(format.number(page))} <q class="untrusted">{text}</q> (
                {say.documents.hiddenReasons[reason]})
              </>
            )}
          </li>
        ))}
        {hiddenText.length > mostHidden ? (
          <li>{say.documents.batch.hiddenMore(format.number(hiddenText.length - mostHidden))}</li>
        ) : null}
      </ul>
    </section>
  );
}
