import type { Theme } from '../api-types.js';
import type { followHost, HostColors } from './follow-host.js';
import { systemDark } from './system-dark.js';

const names = ['accent', 'on-accent', 'background', 'text', 'font'] as const;

/**
 * Keeps a shadow host in a theme. `data-theme` is `light` or `dark`. With `host`, the custom properties `--a-accent`,
 * `--a-on-accent`, `--a-background`, `--a-text` and `--a-font` are the page's own, and every pair is legible. Changes
 * of the system or the page apply live until `stop`. `loadHost` loads the code for `host`; if that fails, `host`
 * behaves like `auto`, and setting it again loads it again. A start with `host` sets no `data-theme` until the code is
 * loaded (at most `patienceMs`), and nothing is visible meanwhile: colours must not change right after they appear.
 */
export function followTheme(
  host: HTMLElement,
  mode: Theme,
  loadHost?: () => Promise<typeof followHost>,
  patienceMs = 1500,
): { set(mode: Theme): void; stop(): void } {
  const system = systemDark();
  let current: Theme | undefined;
  let endHost: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (colors?: HostColors): void => {
    const dark = colors?.dark ?? (current === 'dark' || (current !== 'light' && system.matches));
    host.dataset['theme'] = dark ? 'dark' : 'light';
    for (const name of names) host.style.setProperty(`--a-${name}`, colors?.[name] ?? '');
  };
  const end = (): void => {
    clearTimeout(timer);
    endHost?.();
    endHost = undefined;
  };
  const changed = (): void => {
    if (!endHost) show();
  };
  const followPage = async (): Promise<void> => {
    timer = setTimeout(changed, patienceMs);
    try {
      const follow = await loadHost?.();
      // Another theme may have been set meanwhile, or this one twice.
      if (current === 'host' && !endHost) endHost = follow?.(show);
    } catch (error) {
      console.error('Assistant:', error);
    }
    changed();
  };
  const set = (next: Theme): void => {
    if (next === current && endHost) return;
    current = next;
    end();
    if (next === 'host') void followPage();
    if (next !== 'host' || 'theme' in host.dataset) show();
  };
  system.addEventListener('change', changed);
  set(mode);
  return {
    set,
    stop() {
      current = undefined;
      end();
      system.removeEventListener('change', changed);
    },
  };
}
