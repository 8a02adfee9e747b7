import { fetchPage, type FetchedPage } from './fetch-page.js';
import { forgetText, keepText } from './keep-text.js';
import { showPdfPages } from './pdf-panel.js';

/** The most characters that an address may name, as the page takes them. */
const mostSelected = 500;

/**
 * Exchanges the draft without loading the page anew: the PDF stays open, the focus goes to the next draft's heading, and
 * a live region says what was decided.
 */
export function quickenReview(): void {
  const root = document.querySelector<HTMLElement>('[data-review]');
  const live = root?.querySelector<HTMLElement>('[data-live]') ?? null;
  if (root === null || live === null) return;
  let isBusy = false;

  async function go(url: string, form?: HTMLFormElement, button?: HTMLElement | null) {
    if (isBusy) return;
    isBusy = true;
    const busy = setTimeout(() => button?.setAttribute('aria-busy', 'true'), 300);
    const page = await fetchPage(url, form && fieldsOf(form, button));
    clearTimeout(busy);
    button?.removeAttribute('aria-busy');
    isBusy = false;
    // Without an answer, the browser tries by itself and says what is wrong.
    if (page === undefined) leave(url, form);
    else if (form !== undefined && page.isDone) show(page, form);
    else show(page);
  }

  function show(page: FetchedPage, sent?: HTMLFormElement): void {
    if (sent?.dataset['keep'] !== undefined) forgetText(sent);
    if (!exchange(page.document)) {
      location.assign(page.url);
      return;
    }
    const url = new URL(page.url);
    history.pushState(null, '', withoutNews(url));
    document.title = page.document.title;
    focusFirst();
    const say = document.querySelector<HTMLElement>('[data-say]')?.dataset['say'] ?? '';
    if (live !== null) live.textContent = say;
    keepText();
    showPdfPages();
  }

  root.addEventListener('click', (event) => {
    const link = (event.target as HTMLElement).closest<HTMLAnchorElement>('a[href]');
    if (link === null || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    if (!isReview(link.href)) return;
    event.preventDefault();
    void go(link.href);
  });
  root.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    // A change of more than the exchanged parts needs a new page.
    if (form.method !== 'post' || form.dataset['whole'] !== undefined) return;
    event.preventDefault();
    void go(form.action, form, event.submitter);
  });
  addEventListener('popstate', () => location.reload());
}

/** A link that asks about a text takes along what is selected. */
export function takeSelection(): void {
  let selected = '';
  // A click ends the selection, and a key does not.
  const take = ({ type, target }: Event) => {
    const link = (target as HTMLElement).closest<HTMLAnchorElement>('a[data-selected]');
    const present = getSelection()?.toString().trim() ?? '';
    if (type === 'pointerdown') selected = link === null ? '' : present;
    if (link === null) return;
    const url = new URL(link.href);
    const text = present === '' ? selected : present;
    url.searchParams.set(link.dataset['selected'] ?? '', text.slice(0, mostSelected));
    link.href = url.href;
  };
  addEventListener('pointerdown', take, { capture: true });
  addEventListener('click', take, { capture: true });
}

/** Takes the last decision out of the address, so that a reload does not say it again. */
export function forgetNews(): void {
  if (document.querySelector('[data-review]') === null) return;
  history.replaceState(history.state, '', withoutNews(new URL(location.href)));
}

/** Puts the focus on a fault, a question, or else the heading of the draft. */
export function focusFirst(): void {
  const first =
    document.querySelector<HTMLElement>('[data-focus]') ??
    document.querySelector<HTMLElement>('[data-heading]');
  first?.focus({ preventScroll: true });
  if (first?.dataset['heading'] !== undefined) scrollTo(0, 0);
  else first?.scrollIntoView({ block: 'nearest' });
}

/** Exchanges the parts that both pages have. False when the other page has none of them. */
function exchange(other: Document): boolean {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-swap]')];
  const found = parts.map((part) =>
    other.querySelector<HTMLElement>(`[data-swap="${part.dataset['swap'] ?? ''}"]`),
  );
  if (parts.length === 0 || found.includes(null)) return false;
  parts.forEach((part, index) => {
    const next = found[index];
    if (next != null) part.replaceChildren(...next.childNodes);
  });
  const [panel, nextPanel] = [document, other].map((one) =>
    one.querySelector<HTMLElement>('[data-pdf]'),
  );
  if (panel != null && nextPanel != null) {
    for (const name of ['from', 'to', 'ahead']) panel.dataset[name] = nextPanel.dataset[name] ?? '';
  }
  document
    .querySelector('[data-swap="queue"] [aria-current]')
    ?.scrollIntoView({ block: 'nearest' });
  return true;
}

function withoutNews(url: URL): string {
  url.searchParams.delete('did');
  url.searchParams.delete('last');
  return url.href;
}

function isReview(href: string): boolean {
  const url = new URL(href);
  return url.origin === location.origin && url.pathname === location.pathname;
}

function fieldsOf(form: HTMLFormElement, button: HTMLElement | null | undefined): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, button)) {
    if (typeof value === 'string') fields.append(name, value);
  }
  return fields;
}

function leave(url: string, form: HTMLFormElement | undefined): void {
  if (form === undefined) location.assign(url);
  else form.submit();
}
