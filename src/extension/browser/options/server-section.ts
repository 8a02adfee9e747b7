import { element } from '../../../widget/browser/view/element.js';
import { serverAddressOf } from '../service/server-address.js';
import { changeSettings, readSettings } from '../service/settings.js';
import type { OptionsContext } from './options-context.js';

/** Which service is used. Another one is nobody's account of before. */
export function serverSection(
  { service, texts, say, fail }: OptionsContext,
  server: string | undefined,
): HTMLElement {
  const input = element('input', { type: 'text', inputmode: 'url', autocomplete: 'url' });
  input.value = server ?? '';
  const said = element('p', { class: 'bad', role: 'alert' });

  async function save(): Promise<void> {
    say('');
    const address = serverAddressOf(input.value);
    if (address === undefined) {
      fail(said, texts.badAddress);
      return;
    }
    const { url, pattern, isPlain } = address;
    // Asked first: the browser takes it as the user's own wish only right after the click.
    const isAllowed = await chrome.permissions
      .request({ origins: [pattern] })
      .catch(() => chrome.permissions.contains({ origins: [pattern] }));
    if (!isAllowed) {
      fail(said, texts.noPermission);
      return;
    }
    if (!(await isService(url))) {
      fail(said, texts.notAService);
      return;
    }
    if (url !== server) await service.signOut();
    const { recognisesServer } = await readSettings();
    if (url !== server) await changeSettings({ server: url, recognisesServer: false });
    // Only now: somebody may close the page as soon as they read it.
    say(isPlain ? `${texts.saved} ${texts.plainAddress}` : texts.saved);
    // Else the service of before would be one of the sites that are looked at, though nobody has chosen it.
    const before = server === undefined ? undefined : serverAddressOf(server)?.pattern;
    if (before === undefined || before === pattern || recognisesServer) return;
    await chrome.permissions.remove({ origins: [before] }).catch(() => false);
  }

  return element(
    'section',
    {},
    element('h2', {}, texts.server),
    element(
      'form',
      {
        onsubmit(event) {
          event.preventDefault();
          void save();
        },
      },
      element('label', {}, texts.serverAddress, input),
      element('p', { class: 'muted' }, texts.serverNote),
      said,
      element('button', { class: server === undefined ? 'main' : '' }, texts.save),
    ),
  );
}

/** Whether what answers there is such a service. */
async function isService(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/live`, {
      ...{ credentials: 'omit', redirect: 'error', cache: 'no-store' },
      signal: AbortSignal.timeout(10_000),
    });
    const { status } = (await response.json()) as { status?: unknown };
    return status === 'live';
  } catch {
    return false;
  }
}
