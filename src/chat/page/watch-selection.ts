/** Remembers the selected text of the page while the reader asks about it in the widget. */
export function watchSelection(): { selected(): string; stop(): void } {
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  let text = selectedNow();
  let within = false;
  const enter = ({ target }: Event): void => {
    within = isWidget(target);
  };
  // Runs before the selection disappears: some browsers never focus buttons.
  addEventListener('pointerdown', enter, options);
  addEventListener('focusin', enter, options);
  document.addEventListener(
    'selectionchange',
    () => {
      if (!within && !isWidget(document.activeElement)) text = selectedNow();
    },
    options,
  );
  return { selected: () => text, stop: () => listening.abort() };
}

function isWidget(target: unknown): boolean {
  return target instanceof Element && target.localName === 'assistant-widget';
}

/** A selection inside a field is the field's value and is not sent. */
export function selectedNow(): string {
  const inField = document.activeElement?.matches('input,textarea') ?? false;
  return inField ? '' : String(getSelection() ?? '').trim();
}
