/** From this width on, the page of the PDF stands beside the draft. */
const wide = '(min-width: 68.75rem)';

/** Shows the draft's page of the PDF by the browser's own viewer, where there is one and the window is wide enough. */
export function showPdfPage(): void {
  const panel = document.querySelector<HTMLElement>('[data-pdf]');
  if (panel === null) return;
  const isShown = navigator.pdfViewerEnabled && matchMedia(wide).matches;
  panel.hidden = !isShown;
  if (!isShown) return;
  const address = `${panel.dataset['pdf'] ?? ''}#page=${panel.dataset['page'] ?? '1'}&navpanes=0&view=FitH`;
  if (panel.querySelector('iframe')?.getAttribute('src') === address) return;
  // A viewer that is open does not heed another `#page=` in its address.
  const frame = document.createElement('iframe');
  frame.src = address;
  frame.title = panel.getAttribute('aria-label') ?? '';
  // It must not take the focus and the keys away.
  frame.tabIndex = -1;
  panel.replaceChildren(frame);
}
