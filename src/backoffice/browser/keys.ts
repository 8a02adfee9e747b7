/**
 * Single keys press the buttons and links whose `data-keys` name them, or lead to the field. They act outside of fields,
 * without modifiers, and not on repeat: a held key decides about one draft, not thirty.
 */
export function listenToKeys(): void {
  for (const opener of document.querySelectorAll<HTMLElement>('[data-open]')) {
    opener.addEventListener('click', () => {
      document.querySelector<HTMLDialogElement>(`#${opener.dataset['open'] ?? ''}`)?.showModal();
    });
  }
  if (document.querySelector('[data-shortcuts="on"]') === null) return;
  document.addEventListener('keydown', (event) => {
    if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey) return;
    // Many keyboards type brackets with Alt.
    if (event.altKey && !'[]'.includes(event.key)) return;
    const target = event.target as HTMLElement;
    if (target.closest('input, textarea, select, dialog, [contenteditable]') !== null) return;
    if (document.querySelector('dialog[open], [aria-busy="true"]') !== null) return;
    const pressed = [...document.querySelectorAll<HTMLElement>('[data-keys]')].find((one) =>
      one.dataset['keys']?.split(' ').includes(event.key),
    );
    if (pressed === undefined) return;
    event.preventDefault();
    if (pressed instanceof HTMLInputElement) pressed.select();
    const summary = pressed.querySelector('summary');
    (summary ?? pressed).click();
  });
}
