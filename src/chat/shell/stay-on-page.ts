/** A page that removes the widget each time must not keep it busy. */
const restMs = 1000;

/**
 * Adds an element below the page's root, and adds it again when the page has removed it together with everything else,
 * as single-page apps and `document.write` do. `returned` is called each time. Returns a function that ends this.
 */
export function stayOnPage(host: Element, returned: () => void): () => void {
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(put);

  function put(): void {
    const root = document.documentElement as Element | null;
    clearTimeout(timer);
    observer.disconnect();
    // The root itself may have been replaced.
    for (const node of root ? [document, root] : [document])
      observer.observe(node, { childList: true });
    if (host.isConnected || !root) return;
    const now = performance.now();
    if (now - last < restMs) {
      timer = setTimeout(put, restMs);
      return;
    }
    last = now;
    root.append(host);
    returned();
  }

  put();
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    host.remove();
  };
}
