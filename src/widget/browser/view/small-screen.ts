import { setAttribute } from './element.js';
import type { Releases } from './releases.js';

/** Phones, and windows zoomed in until they are as small. */
const small = '(max-width: 480px), (max-height: 480px)';

/**
 * On a small screen the panel fills it and is modal: the page behind can't be reached until it is closed, and the
 * keyboard of a phone makes the panel smaller instead of covering its composer.
 */
export function fillSmallScreen(
  root: HTMLElement,
  panel: () => HTMLElement | undefined,
  releases: Releases,
): { update(): void } {
  const media = matchMedia(small);
  const viewport = window.visualViewport;
  /** What was made inert here, and is to be given back. */
  let behind: HTMLElement | undefined;

  const update = (): void => {
    const node = panel();
    const fills = media.matches && node?.hidden === false;
    root.classList.toggle('phone', media.matches);
    if (node) setAttribute(node, 'aria-modal', fills ? 'true' : undefined);
    if (fills !== (behind !== undefined)) {
      if (behind) behind.inert = false;
      // A body that the page itself made inert is not ours to wake.
      behind = fills && !document.body.inert ? document.body : undefined;
      if (behind) behind.inert = true;
    }
    fit(node, fills);
  };
  const fit = (node: HTMLElement | undefined, fills: boolean): void => {
    if (!node || !viewport) return;
    // Magnified with two fingers: the layout stays as it is.
    const covered = fills && viewport.scale < 1.05 && viewport.height < innerHeight - 40;
    node.style.height = covered ? `${viewport.height}px` : '';
    node.style.top = covered ? `${viewport.offsetTop}px` : '';
    node.style.bottom = covered ? 'auto' : '';
  };
  releases.listen(media, 'change', update);
  if (viewport) for (const type of ['resize', 'scroll']) releases.listen(viewport, type, update);
  releases.add(() => {
    if (behind) behind.inert = false;
  });
  return { update };
}

/** Tab goes round within: from the last control to the first, and back. */
export function keepTabWithin(node: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== 'Tab') return;
  const reachable = [
    ...node.querySelectorAll<HTMLElement>('button:enabled,a[href],input,textarea,[tabindex="0"]'),
  ].filter((candidate) => candidate.getClientRects().length > 0);
  const [first, last] = [reachable[0], reachable.at(-1)];
  const root = node.getRootNode();
  const at = root instanceof ShadowRoot ? root.activeElement : null;
  const leaves = event.shiftKey ? at === first || at === node : at === last;
  if (!leaves) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
