import type { StoredSection } from '../../ingestion/batches/sections.repository.js';
import type { OutlinedDraft } from '../../ingestion/review/read-review.js';
import { Markdown } from '../layout/markdown.js';
import { useShown } from '../layout/shown.js';
import { batchPath } from './batch-params.js';

interface SourcePanelProps {
  batchId: string;
  /** Where the draft stands on the web. */
  address: string | undefined;
  chosen: OutlinedDraft;
  source: readonly StoredSection[];
}

/**
 * The sections of a document without pages around that of the draft, which is marked. They are text that was read of
 * the file: nothing of the file itself is shown or run.
 */
export function SourcePanel({ batchId, address, chosen, source }: SourcePanelProps) {
  const { say, at } = useShown();
  const words = say.documents.reviewing.source;
  const own = source.findIndex(({ position }) => position === chosen.chunkIndex);
  const above = source.slice(0, Math.max(0, own));
  return (
    <aside class="page-panel source-panel" aria-label={words.title}>
      <div class="page-bar">
        <span>{words.title}</span>
        {address === undefined ? null : (
          <span data-swap="address">
            {/* In a tab of its own: the review goes on beside it. */}
            <a href={address} rel="noopener noreferrer" target="_blank">
              {words.open}
            </a>
          </span>
        )}
        <a href={at(`${batchPath(batchId)}/file`)}>{say.labels.saveFile}</a>
        <a class="to-draft" href="#draft">
          {say.documents.reviewing.panel.toDraft}
        </a>
      </div>
      <div class="pages" role="region" tabIndex={0} aria-label={words.title} data-swap="source">
        {above.length === 0 ? null : (
          <details>
            <summary>{words.above}</summary>
            {above.map((section) => (
              <Section key={section.position} section={section} isOwn={false} />
            ))}
          </details>
        )}
        {source.slice(Math.max(0, own)).map((section) => (
          <Section
            key={section.position}
            section={section}
            isOwn={section.position === chosen.chunkIndex}
          />
        ))}
      </div>
    </aside>
  );
}

function Section({ section, isOwn }: { section: StoredSection; isOwn: boolean }) {
  const { title, content, language } = section;
  return (
    <section
      class={isOwn ? 'source of-draft' : 'source'}
      {...(isOwn && { 'aria-current': 'true' })}
    >
      <h2>{title}</h2>
      <Markdown text={content} language={language} />
    </section>
  );
}
