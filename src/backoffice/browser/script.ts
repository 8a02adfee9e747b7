import { forgetTexts, keepText } from './keep-text.js';
import { jumpToPages, showPdfPages } from './pdf-panel.js';
import { focusFirst, forgetNews, quickenReview, takeSelection } from './review.js';
import { quickenUpload } from './upload.js';
import { fetchPage } from './fetch-page.js';

// Makes the pages of the backoffice faster to use. Every page works without this script.

/** Takes the code of the last change out of the address, so that a reload or a sent link does not repeat it. */
function forgetDone(): void {
  const url = new URL(location.href);
  if (!url.searchParams.has('done')) return;
  url.searchParams.delete('done');
  history.replaceState(history.state, '', url);
}

/** A form that is being sent is not sent again. Its button says so after a moment. */
function guardForms(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    // A part of a script sends it.
    if (event.defaultPrevented) return;
    // The page stays as it is, and its form can be sent again.
    if (form.dataset['download'] !== undefined) return;
    if (form.dataset['sent'] !== undefined) {
      event.preventDefault();
      return;
    }
    form.dataset['sent'] = '';
    const button = event.submitter;
    setTimeout(() => button?.setAttribute('aria-busy', 'true'), 300);
  });
  // A page that comes back from the browser's memory may send its forms again.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form')) delete form.dataset['sent'];
    for (const button of document.querySelectorAll('[aria-busy]'))
      button.removeAttribute('aria-busy');
  });
}

/** Nothing that was typed stays in a browser that somebody has signed out of. */
function forgetAtSignOut(): void {
  document.addEventListener('submit', (event) => {
    const button = event.submitter as HTMLButtonElement | null;
    if (button?.value === 'signOut') forgetTexts();
  });
}

/** One box that ticks all rows of its form. */
function tickAll(): void {
  for (const label of document.querySelectorAll<HTMLElement>('[data-tick-all]')) {
    label.hidden = false;
    label.addEventListener('change', ({ target }) => {
      const { checked, form } = target as HTMLInputElement;
      for (const box of form?.querySelectorAll<HTMLInputElement>('[type=checkbox][name]') ?? [])
        box.checked = checked;
    });
  }
}

/**
 * Single keys press the buttons and links whose `data-keys` name them, or lead to the field. They act outside of fields,
 * without modifiers, and not on repeat: a held key decides about one draft, not thirty.
 */
function listenToKeys(): void {
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

/** The shares of the width that a click on the border chooses one after the other, in percent. */
const presets = [50, 35, 65];
const bounds = { least: 25, most: 75 };
const stored = 'page-share';

/** Moves the border between the draft and the pages: by pointer, by arrow keys, and by a click to the next preset. */
function moveBorder(): void {
  const border = document.querySelector<HTMLElement>('[data-border]');
  const parts = border?.parentElement ?? null;
  if (border === null || parts === null) return;
  let share = Number(localStorage.getItem(stored) ?? presets[0]);
  const set = (to: number) => {
    share = Math.min(Math.max(to, bounds.least), bounds.most);
    parts.style.setProperty('--page-share', `${share}%`);
    border.setAttribute('aria-valuenow', String(Math.round(share)));
    localStorage.setItem(stored, String(share));
  };
  set(share);
  let isMoved = false;
  border.addEventListener('pointerdown', (event) => {
    isMoved = false;
    border.setPointerCapture(event.pointerId);
  });
  border.addEventListener('pointermove', (event) => {
    if (!border.hasPointerCapture(event.pointerId)) return;
    const { right, width } = parts.getBoundingClientRect();
    const to = ((right - event.clientX) / width) * 100;
    if (!isMoved && Math.abs(to - share) < 1) return;
    isMoved = true;
    set(to);
  });
  border.addEventListener('click', () => {
    if (!isMoved) set(presets[(presets.indexOf(share) + 1) % presets.length] ?? 50);
  });
  border.addEventListener('keydown', ({ key }) => {
    const steps: Record<string, number> = { ArrowLeft: share + 5, ArrowRight: share - 5 };
    const ends: Record<string, number> = { Home: bounds.most, End: bounds.least, Enter: 50 };
    const to = steps[key] ?? ends[key];
    if (to !== undefined) set(to);
  });
}

/** Keeps the numbers of a batch up to date while it is read, and shows its page anew when it has ended. */
function followProgress(): void {
  const panel = document.querySelector<HTMLElement>('[data-events]');
  if (panel === null) return;
  panel.querySelector('[data-scriptless]')?.remove();
  const numbers = new Intl.NumberFormat(document.documentElement.lang);
  const source = new EventSource(panel.dataset['events'] ?? '');
  source.addEventListener('progress', (event) => {
    const batch = JSON.parse(event.data as string) as Record<string, unknown>;
    if (Number(batch['total_pages']) > 0)
      document.querySelector('[data-before-progress]')?.remove();
    for (const shown of panel.querySelectorAll<HTMLElement>('[data-number]')) {
      shown.textContent = numbers.format(Number(batch[shown.dataset['number'] ?? '']));
    }
    for (const bar of panel.querySelectorAll('progress')) {
      bar.max = Math.max(1, Number(batch[bar.dataset['all'] ?? '']));
      bar.value = Number(batch[bar.id]);
    }
  });
  const end = async () => {
    source.close();
    const page = await fetchPage(location.href);
    const [main, next] = [document, page?.document].map((one) => one?.querySelector('main'));
    if (main == null || next == null) {
      location.reload();
      return;
    }
    const status = panel.querySelector<HTMLElement>('[data-ended]');
    if (status !== null) status.textContent = status.dataset['ended'] ?? '';
    main.replaceChildren(...next.childNodes, ...(status === null ? [] : [status]));
  };
  source.addEventListener('completed', () => void end());
  source.addEventListener('failed', () => void end());
}

/** The options of the widget that take part in its preview, and that a tag carries. */
const options = ['title', 'greeting', 'suggestions', 'theme', 'language', 'position', 'logo'];

/** Shows each change of a form with the looks of a widget in the frame beside it, without loading the frame anew. */
function watchLook(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-look]');
  const frame = document.querySelector<HTMLIFrameElement>('iframe[name=preview]');
  if (form === null || frame === null) return;
  // The button is for those without this script.
  form.querySelector('[data-show]')?.setAttribute('hidden', '');
  const show = () => frame.contentWindow?.postMessage(configOf(form), location.origin);
  form.addEventListener('input', show);
  // Values that a browser filled in by itself, or kept over a reload.
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
function offerCopies(): void {
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

forgetDone();
forgetNews();
quickenReview();
takeSelection();
quickenUpload();
guardForms();
forgetAtSignOut();
keepText();
moveBorder();
showPdfPages();
jumpToPages();
followProgress();
tickAll();
listenToKeys();
watchLook();
offerCopies();
focusFirst();
