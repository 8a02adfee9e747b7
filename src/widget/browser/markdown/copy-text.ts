/** Puts a text on the clipboard; false where the browser would not. `shown` is a node of the page near to it. */
async function copyText(text: string, shown: Node): Promise<boolean> {
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

/** Has a button copy a text. Its label, at the end of it, says so then, until the reader turns elsewhere. */
export function copyOnPress(
  button: HTMLElement,
  { copyLabel, copied }: { copyLabel: string; copied: string },
  text: () => string,
  shown: Node,
): void {
  const label = document.createTextNode(copyLabel);
  button.append(label);
  button.onclick = () => {
    // Only now: a live region that streams in would be read out with the answer.
    button.ariaLive = 'polite';
    void copyText(text(), shown).then((done) => {
      if (done) label.data = copied;
    });
  };
  // No timer that would outlive the panel.
  button.onblur = button.onpointerleave = () => {
    label.data = copyLabel;
  };
}
