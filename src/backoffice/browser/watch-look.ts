/** The options of the widget that take part in its preview, and that a tag carries. */
const options = ['title', 'greeting', 'suggestions', 'theme', 'language', 'position', 'logo'];

/** Shows each change of a form with the looks of a widget in the frame beside it, without loading the frame anew. */
export function watchLook(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-look]');
  const frame = document.querySelector<HTMLIFrameElement>('iframe[name=preview]');
  if (form === null || frame === null) return;
  // The button is for those without this script.
  form.querySelector('[data-show]')?.setAttribute('hidden', '');
  const show = () => frame.contentWindow?.postMessage(configOf(form), location.origin);
  form.addEventListener('input', show);
  // What a browser filled in by itself, or kept over a reload.
  frame.addEventListener('load', show);
}

function configOf(form: HTMLFormElement): Record<string, unknown> {
  const fields = new FormData(form);
  return Object.fromEntries(
    options.map((name) => {
      const field = fields.get(name);
      const value = typeof field === 'string' ? field.trim() : '';
      // Null takes back what was given before.
      if (value === '') return [name, null];
      return [name, name === 'suggestions' ? value.split('\n').filter((one) => one.trim()) : value];
    }),
  );
}

/** Buttons that copy a text; without a script, or without access to the clipboard, there are none. */
export function offerCopies(): void {
  if (!('clipboard' in navigator)) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const text = document.getElementById(button.dataset['copy'] ?? '')?.textContent ?? '';
      void navigator.clipboard.writeText(text).then(() => {
        button.textContent = button.dataset['copied'] ?? '';
      });
    });
  }
}
