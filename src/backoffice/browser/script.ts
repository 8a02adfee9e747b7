import { forgetTexts, keepText } from './keep-text.js';
import { listenToKeys } from './keys.js';
import { moveBorder } from './move-border.js';
import { jumpToPages, showPdfPages } from './pdf-panel.js';
import { followProgress } from './progress.js';
import { focusFirst, forgetNews, quickenReview } from './review.js';
import { quickenUpload } from './upload.js';
import { offerCopies, watchLook } from './watch-look.js';

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
      for (const box of form?.querySelectorAll<HTMLInputElement>('[name=entry]') ?? [])
        box.checked = checked;
    });
  }
}

forgetDone();
forgetNews();
quickenReview();
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
