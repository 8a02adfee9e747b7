interface Kept {
  [name: string]: string;
}

const prefix = 'assistant text ';

/**
 * Keeps what is typed into a form until it is stored, so that a reload loses nothing: in the memory of this tab alone.
 * The version that was read is kept too. So the server notices when somebody else changed the text meanwhile.
 */
export function keepText(): void {
  const forms = document.querySelectorAll<HTMLFormElement>('form[data-keep]');
  for (const form of forms) watch(form, prefix + (form.dataset['keep'] ?? ''));
  for (const link of document.querySelectorAll<HTMLElement>('[data-forget]')) {
    link.addEventListener('click', () => forget(prefix + (link.dataset['forget'] ?? '')));
  }
}

/** A sign-out leaves nothing of what was typed. */
export function forgetTexts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) forget(key);
}

/** The texts of a form that the server has stored are forgotten. */
export function forgetText(form: HTMLFormElement): void {
  forget(prefix + (form.dataset['keep'] ?? ''));
}

function watch(form: HTMLFormElement, key: string): void {
  const before = sessionStorage.getItem(key);
  // A form that was refused holds what was typed already, and the version that stands now.
  const isRefused = form.querySelector('.fault') !== null;
  if (before !== null && !isRefused) restore(form, JSON.parse(before) as Kept);
  form.addEventListener('input', () => {
    const fields = [...new FormData(form)].filter(([, value]) => typeof value === 'string');
    sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(fields)));
  });
}

function restore(form: HTMLFormElement, kept: Kept): void {
  for (const [name, value] of Object.entries(kept)) {
    const field = form.elements.namedItem(name);
    if (
      field instanceof HTMLInputElement ||
      field instanceof HTMLTextAreaElement ||
      field instanceof HTMLSelectElement
    ) {
      field.value = value;
    }
  }
  const note = form.querySelector<HTMLElement>('[data-restored]');
  if (note !== null) note.textContent = note.dataset['restored'] ?? '';
}

function forget(key: string): void {
  sessionStorage.removeItem(key);
}
