import type { PdfViewer } from './pdf-viewer.js';

/** The smallest blocks of a rendered draft. */
const block = 'p, li, tr, pre, h3, h4, h5, h6';

let viewer: Promise<PdfViewer> | undefined;

/**
 * Shows the draft's pages of the PDF in the panel, with the draft's words marked. pdf.js is loaded once, when the draft
 * is painted and the panel is near the window, and the file stays open while drafts change.
 */
export function showPdfPages(): void {
  const panel = document.querySelector<HTMLElement>('[data-pdf]');
  if (panel === null) return;
  const show = (opened: PdfViewer) => {
    const { from = '1', to = from, ahead = '' } = panel.dataset;
    return opened.show({
      from: Number(from),
      to: Number(to),
      ahead: Number(ahead),
      blocks: draftBlocks(),
    });
  };
  if (viewer !== undefined) {
    void viewer.then(show, () => undefined);
    return;
  }
  const whenNear = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      whenNear.disconnect();
      viewer ??= openViewer(panel);
      viewer.then(show).catch(() => {
        panel.dataset['failed'] = '';
      });
    },
    { rootMargin: '50%' },
  );
  // Two frames later the draft is painted.
  requestAnimationFrame(() => requestAnimationFrame(() => whenNear.observe(panel)));
}

/** The number of the draft's page leads to the panel, which stands below the draft in narrow windows. */
export function jumpToPages(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as HTMLElement).closest('[data-jump]');
    const pages = document.querySelector<HTMLElement>('[data-pages]');
    if (link === null || pages === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    pages.scrollIntoView({ block: 'nearest' });
    pages.focus();
  });
}

async function openViewer(panel: HTMLElement): Promise<PdfViewer> {
  const { openPdfViewer } = (await import(
    panel.dataset['viewer'] ?? ''
  )) as typeof import('./pdf-viewer.js');
  return openPdfViewer(panel);
}

/** The draft's text block by block, or the text that is being edited. */
function draftBlocks(): string[] {
  const field = document.querySelector<HTMLTextAreaElement>('[data-swap="draft"] textarea');
  if (field !== null) return field.value.split('\n');
  const text = document.querySelector('[data-text]');
  const title = document.querySelector('[data-swap="draft"] h1')?.textContent ?? '';
  return [
    title,
    ...[...(text?.querySelectorAll(block) ?? [])]
      .filter((one) => one.querySelector(block) === null)
      .map((one) => one.textContent),
  ];
}
