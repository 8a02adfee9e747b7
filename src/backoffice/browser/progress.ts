import { fetchPage } from './fetch-page.js';

/** Keeps the numbers of a batch up to date while it is read, and shows its page anew when it has ended. */
export function followProgress(): void {
  const panel = document.querySelector<HTMLElement>('[data-events]');
  if (panel === null) return;
  panel.querySelector('[data-scriptless]')?.remove();
  const numbers = new Intl.NumberFormat(document.documentElement.lang);
  const source = new EventSource(panel.dataset['events'] ?? '');
  source.addEventListener('progress', (event) => {
    const batch = JSON.parse(event.data as string) as Record<string, unknown>;
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
