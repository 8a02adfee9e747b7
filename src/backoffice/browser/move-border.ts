/** The shares of the width that a click on the border chooses one after the other, in percent. */
const presets = [50, 35, 65];
const bounds = { least: 25, most: 75 };
const stored = 'page-share';

/** Moves the border between the draft and the pages: by pointer, by arrow keys, and by a click to the next preset. */
export function moveBorder(): void {
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
