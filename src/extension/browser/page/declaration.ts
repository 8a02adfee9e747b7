import type { Declaration } from '../messages.js';

const key = /^wk_live_[\w-]{8,90}$/;
/** Between two looks at a head that keeps changing, in milliseconds. */
const pause = 250;
/** A page that changes its head without an end is not looked at for ever. */
const mostLooks = 400;

/** What this page declares; undefined where it declares nothing, or nothing that could be used. */
export function readDeclaration(): Declaration | undefined {
  const widgetKey = contentOf('assistant:widget-key');
  const tokenEndpoint = contentOf('assistant:token-endpoint');
  const isUsable = key.test(widgetKey) && tokenEndpoint !== '' && tokenEndpoint.length <= 2000;
  const session = contentOf('assistant:session');
  const said = session.length >= 16 && session.length <= 255 ? { session } : {};
  return isUsable ? { widgetKey, tokenEndpoint, ...said } : undefined;
}

function contentOf(name: string): string {
  const found = headOf(document)?.querySelector(`meta[name="${name}"]`);
  return found?.getAttribute('content')?.trim() ?? '';
}

/** Drawings and other XML have none, nor has a document that is being written anew. */
function headOf({ head }: Document): HTMLHeadElement | null {
  return head;
}

/** Tells what the page declares, now and whenever that changes: pages of one document add their tags later. */
export function watchDeclaration(changed: (declaration: Declaration | undefined) => void): void {
  let last = '';
  let looks = 0;
  let waiting = false;
  const look = (): void => {
    waiting = false;
    looks += 1;
    if (looks < mostLooks) observe();
    else observer.disconnect();
    const declaration = readDeclaration();
    const now = JSON.stringify(declaration ?? null);
    if (now === last) return;
    last = now;
    changed(declaration);
  };
  const observer = new MutationObserver(() => {
    if (waiting) return;
    waiting = true;
    setTimeout(look, pause);
  });
  /** The head that is there now, and whether another one takes its place. */
  function observe(): void {
    observer.disconnect();
    observer.observe(document, { childList: true });
    const root = document.documentElement as Element | null;
    if (root !== null) observer.observe(root, { childList: true });
    const head = headOf(document);
    if (head === null) return;
    observer.observe(head, {
      ...{ childList: true, subtree: true, attributes: true },
      attributeFilter: ['content', 'name'],
    });
  }
  look();
}
