import { element } from '../../../chat/dom/element.js';
import { serverAddressOf } from '../service/server-address.js';
import { changeSettings, readSettings } from '../service/settings.js';
import type { OptionsContext } from './options-context.js';

/** Chooses the service. Changing it signs the account out. */
export function serverSection(
  { service, texts, say, fail }: OptionsContext,
  server: string | undefined,
): HTMLElement {
  const input = element('input', {
    type: 'text',
    inputmode: 'url',
    autocomplete: 'url',
    spellcheck: 'false',
    placeholder: 'https://assistant.example.com',
    'aria-describedby': 'address-problem',
  });
  input.value = server ?? '';
  const said = element('p', { class: 'bad', role: 'alert', id: 'address-problem' });
  const submit = element('button', { class: server === undefined ? 'main' : '' }, texts.save);
  const refuse = (why: string): void => {
    fail(said, why);
    input.ariaInvalid = String(why !== '');
    if (why === '') return;
    input.focus();
    // Focusing alone would scroll only to the field.
    said.scrollIntoView({ block: 'nearest' });
  };

  async function save(): Promise<void> {
    say('');
    refuse('');
    const address = serverAddressOf(input.value);
    if (address === undefined) {
      refuse(texts.badAddress);
      return;
    }
    const { url, pattern, isPlain } = address;
    // Request this first: the browser accepts it as the user's wish only right after the click.
    const isAllowed = await chrome.permissions
      .request({ origins: [pattern] })
      .catch(() => chrome.permissions.contains({ origins: [pattern] }));
    if (!isAllowed) {
      refuse(texts.noPermission);
      return;
    }
    if (!(await isService(url))) {
      refuse(texts.notAService(url));
      return;
    }
    if (url !== server) await service.signOut();
    const { recognisesServer } = await readSettings();
    if (url !== server) await changeSettings({ server: url, recognisesServer: false });
    // Only now, because the reader may close the page. After the first address, the next screen is message enough.
    say([server && texts.saved, isPlain && texts.plainAddress].filter(Boolean).join(' '));
    // Otherwise the previous service's site would remain among the recognized sites, although nobody chose it.
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
          submit.disabled = true;
          void save().finally(() => {
            submit.disabled = false;
          });
        },
      },
      element('label', {}, texts.serverAddress, input),
      said,
      element('p', { class: 'muted' }, texts.serverNote),
      submit,
    ),
  );
}

/** True when the service answers at this address. */
async function isService(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/live`, {
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(10_000),
    });
    const { status } = (await response.json()) as { status?: unknown };
    return status === 'live';
  } catch {
    return false;
  }
}
