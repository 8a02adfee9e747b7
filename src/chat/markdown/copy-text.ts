/** The clipboard content by media type: Markdown, and HTML for programs that accept rich text. */
export interface Copied {
  'text/plain': string;
  'text/html'?: string;
}

/** Copies to the clipboard; returns false when the browser refuses. `shown` is a nearby node of the page. */
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
    // Without a secure context, ClipboardItem or permission, the old way is used. It needs a selection.
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

/** Makes a button copy something. Its label then says so, until the reader turns elsewhere. */
export function copyOnPress(
  button: HTMLElement,
  { copyLabel, copied }: { copyLabel: string; copied: string },
  what: () => Copied,
  shown: Node,
): void {
  const label = document.createTextNode(copyLabel);
  button.append(label);
  button.onclick = () => {
    // Set only now: otherwise the growing answer would make the live region read the label aloud.
    button.ariaLive = 'polite';
    void copyText(what(), shown).then((done) => {
      if (done) label.data = copied;
    });
  };
  // No timer, because it could outlive the panel.
  button.onblur = button.onpointerleave = () => {
    label.data = copyLabel;
  };
}
