import { setAttribute } from '../dom/element.js';
import type { Cleanup } from '../dom/cleanup.js';

/** Phones, and windows in which the panel leaves too little of the page beside it to read. */
const small = '(max-width:767px),(max-height:480px)';

/**
 * On a small screen the panel fills it and is modal: the page behind can't be reached until it is closed, and the
 * keyboard of a phone makes the panel smaller instead of covering its composer.
 */
export function fillSmallScreen(
  root: HTMLElement,
  panel: () => HTMLElement | undefined,
  cleanup: Cleanup,
): () => void {
  const media = matchMedia(small);
  const listening = new AbortController();
  const { signal } = listening;
  const viewport = window.visualViewport;
  /** What was made inert here, and is to be given back. */
  let behind: HTMLElement | undefined;
  const hold = (body?: HTMLElement): void => {
    if (behind) behind.inert = false;
    // A body that the page itself made inert is not ours to wake.
    behind = body?.inert ? undefined : body;
    if (behind) behind.inert = true;
  };

  const update = (): void => {
    const node = panel();
    const fills = media.matches && node?.hidden === false;
    root.classList.toggle('phone', media.matches);
    const wanted = fills ? document.body : undefined;
    // Pages that load others in their place put a new body there.
    if (wanted !== behind) hold(wanted);
    if (!node) return;
    setAttribute(node, 'aria-modal', fills);
    // Magnified with two fingers the layout stays as it is.
    const covered =
      fills && viewport && viewport.scale < 1.05 && viewport.height < innerHeight - 40;
    node.style.height = covered ? `${viewport.height}px` : '';
    node.style.top = covered ? `${viewport.offsetTop}px` : '';
  };
  media.addEventListener('change', update, { signal });
  viewport?.addEventListener('resize', update, { signal });
  viewport?.addEventListener('scroll', update, { signal });
  cleanup.push(() => {
    listening.abort();
    hold();
  });
  return update;
}
