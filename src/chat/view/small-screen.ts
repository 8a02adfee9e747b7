import { type Cleanup, setAttribute } from '../dom/element.js';

/** Phones, and windows in which the panel leaves too little of the page to read. */
const small = '(max-width:767px),(max-height:480px)';

/**
 * On a small screen the panel fills the screen and is modal: the page behind is inert until the panel is closed. A
 * phone's keyboard shrinks the panel instead of covering its composer.
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
  /** The element that this code made inert and must restore. */
  let behind: HTMLElement | undefined;
  const hold = (body?: HTMLElement): void => {
    if (behind) behind.inert = false;
    // If the page itself made its body inert, do not undo that.
    behind = body?.inert ? undefined : body;
    if (behind) behind.inert = true;
  };

  const update = (): void => {
    const node = panel();
    const fills = media.matches && node?.hidden === false;
    root.classList.toggle('phone', media.matches);
    const wanted = fills ? document.body : undefined;
    // Pages that load other pages in place replace the body.
    if (wanted !== behind) hold(wanted);
    if (!node) return;
    setAttribute(node, 'aria-modal', fills);
    // While the page is magnified by two fingers, the layout stays unchanged.
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
