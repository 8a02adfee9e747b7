import { element } from '../../../chat/dom/element.js';
import { changeSettings, type Settings } from '../service/settings.js';
import type { OptionsContext } from './options-context.js';

/** In their own words, so that everybody finds theirs. */
const names = { en: 'English', es: 'Español', de: 'Deutsch' };

export function languageSection(
  { texts, say }: OptionsContext,
  chosen: Settings['language'],
): HTMLElement {
  const option = (value: string, name: string) =>
    element('option', { value, selected: value === chosen }, name);
  const select = element(
    'select',
    {},
    option('auto', texts.languageAuto),
    ...Object.entries(names).map(([value, name]) => option(value, name)),
  );
  select.addEventListener('change', () => {
    say('');
    void changeSettings({ language: select.value as Settings['language'] });
  });
  return element(
    'section',
    {},
    element('h2', {}, texts.language),
    element('label', {}, element('span', { class: 'sr' }, texts.language), select),
  );
}
