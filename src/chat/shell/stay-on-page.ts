/** A page that takes the widget away each time that it comes back must not be kept busy by it. */
const restMs = 1000;

/**
 * Puts an element on the page, below its root, and puts it back where the page has taken it away together with all
 * else, as single-page apps and `document.write` do. `returned` is called each time. Returns what ends that.
 */
export function stayOnPage(host: Element, returned: () => void): () => void {
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(put);

  function put(): void {
    const root = document.documentElement as Element | null;
    clearTimeout(timer);
    observer.disconnect();
    // The root itself may be another one by now.
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
