/** What is selected on the page, and stays known while the reader asks about it in the widget. */
export function watchSelection(): { selected(): string; stop(): void } {
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  let text = selectedNow();
  let within = false;
  const enter = ({ target }: Event): void => {
    within = isWidget(target);
  };
  // Before the selection goes: some browsers give the focus to no button.
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

/** What is selected within a field is its value, and not told. */
export function selectedNow(): string {
  const inField = document.activeElement?.matches('input,textarea') ?? false;
  return inField ? '' : String(getSelection() ?? '').trim();
}
