/** Puts what a node shows on the clipboard; false where the browser would not. */
export async function copyText(shown: Node): Promise<boolean> {
  const text = shown.textContent ?? '';
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No secure context, or a page that may not: the old way, which wants something to be selected.
    getSelection()?.selectAllChildren(shown);
    const write = (event: ClipboardEvent): void => {
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener('copy', write, { once: true, capture: true });
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is no other way on a page without https
    const done = document.execCommand('copy');
    removeEventListener('copy', write, true);
    return done;
  }
}
