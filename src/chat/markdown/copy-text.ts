/** What is copied, by its type: Markdown, and what it looks like for programs that take rich text. */
export interface Copied {
  'text/plain': string;
  'text/html'?: string;
}

/** Puts it on the clipboard; false where the browser would not. `shown` is a node of the page near to it. */
async function copyText(copied: Copied, shown: Node): Promise<boolean> {
  const entries = Object.entries(copied) as [string, string][];
  try {
    const { clipboard } = navigator;
    if (entries[1]) {
      const blobs = entries.map(([type, text]) => [type, new Blob([text], { type })] as const);
      await clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    } else await clipboard.writeText(copied['text/plain']);
    return true;
  } catch {
    // No secure context, no ClipboardItem, or a page that may not: the old way, which wants something to be selected.
    getSelection()?.selectAllChildren(shown);
    const write = (event: ClipboardEvent): void => {
      for (const entry of entries) event.clipboardData?.setData(...entry);
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

/** Has a button copy something. Its label, at the end of it, says so then, until the reader turns elsewhere. */
export function copyOnPress(
  button: HTMLElement,
  { copyLabel, copied }: { copyLabel: string; copied: string },
  what: () => Copied,
  shown: Node,
): void {
  const label = document.createTextNode(copyLabel);
  button.append(label);
  button.onclick = () => {
    // Only now: a live region that streams in would be read out with the answer.
    button.ariaLive = 'polite';
    void copyText(what(), shown).then((done) => {
      if (done) label.data = copied;
    });
  };
  // No timer that would outlive the panel.
  button.onblur = button.onpointerleave = () => {
    label.data = copyLabel;
  };
}
