import type { Declaration } from '../messages.js';

const key = /^wk_live_[\w-]{8,90}$/;
/** The interval between two reads of a changing head, in milliseconds. */
const pause = 250;
/** The most reads of a head that never stops changing. */
const mostLooks = 400;

/** The page's declaration; undefined without a usable one. */
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

/** Undefined in drawings and other XML, and in a document that is being rewritten. */
function headOf({ head }: Document): HTMLHeadElement | null {
  return head;
}

/** Calls `changed` with the declaration, now and after each change: single-page apps add their tags later. */
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
  /** Watches the present head, and whether it is replaced. */
  function observe(): void {
    observer.disconnect();
    observer.observe(document, { childList: true });
    const root = document.documentElement as Element | null;
    if (root !== null) observer.observe(root, { childList: true });
    const head = headOf(document);
    if (head === null) return;
    observer.observe(head, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['content', 'name'],
    });
  }
  look();
}
