import type { OutlinedDraft } from '../../ingestion/review/read-review.js';
import { useShown } from '../layout/shown.js';
import type { PageRequest } from '../page.js';
import { batchPath } from './batch-params.js';

interface PagePanelProps {
  batchId: string;
  chosen: OutlinedDraft;
  /** The draft whose page is fetched ahead. */
  next: OutlinedDraft | undefined;
  asset: PageRequest<unknown, unknown>['asset'];
}

/** The script draws the draft's pages here. Without one there is no panel, and the page's number is a link to the file. */
export function PagePanel({ batchId, chosen, next, asset }: PagePanelProps) {
  const { say, at } = useShown();
  const words = say.documents.reviewing.panel;
  const file = at(`${batchPath(batchId)}/file`);
  const { pageFrom, pageTo } = chosen;
  return (
    <>
      <div
        class="border"
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={words.border}
        aria-valuemin={25}
        aria-valuemax={75}
        aria-valuenow={50}
        data-border
      />
      <aside
        class="page-panel"
        aria-label={words.title}
        data-pdf={file}
        data-from={pageFrom ?? 1}
        data-to={pageTo ?? pageFrom ?? 1}
        data-ahead={next?.pageFrom ?? ''}
        data-viewer={asset('pdf-viewer.js')}
        data-worker={asset('pdf-worker.js')}
        data-openjpeg={asset('openjpeg.js')}
        data-fonts={at('/assets/pdfjs')}
      >
        <div class="page-bar">
          <span data-place={words.place} />
          <span class="tools">
            <Tool name={words.before} sign="‹" facts={{ 'data-leaf': -1, 'data-keys': '[' }} />
            <Tool name={words.after} sign="›" facts={{ 'data-leaf': 1, 'data-keys': ']' }} />
            <Tool name={words.smaller} sign="−" facts={{ 'data-zoom': -1 }} />
            <Tool name={words.larger} sign="+" facts={{ 'data-zoom': 1 }} />
          </span>
          <a href={file}>{say.labels.openPdf}</a>
          <a class="to-draft" href="#draft">
            {words.toDraft}
          </a>
        </div>
        <p class="fault">{words.failed}</p>
        <div class="pages" role="region" tabIndex={0} aria-label={words.title} data-pages />
      </aside>
    </>
  );
}

function Tool({ name, sign, facts }: { name: string; sign: string; facts: object }) {
  return (
    <button type="button" class="quiet" title={name} aria-label={name} {...facts}>
      {sign}
    </button>
  );
}
