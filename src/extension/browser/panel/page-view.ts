import { button, element } from '../../../widget/browser/view/element.js';
import { parseMarkdown } from '../../../widget/browser/markdown/parse-markdown.js';
import { updateMarkdown } from '../../../widget/browser/markdown/render-markdown.js';
import { failureOf } from '../texts/failure-of.js';
import type { ExtensionTexts } from '../texts/texts.js';
import { isOfPage, type PageEntry } from './know-page.js';
import type { SeenPage } from './watch-page.js';

/** What is known of the page beside the panel. */
export function pageView(
  texts: ExtensionTexts,
  seen: SeenPage,
  retry: () => void,
  recognise: (() => void) | undefined,
): HTMLElement {
  const main = element('main', { class: 'known' });
  switch (seen.kind) {
    case 'hidden':
      main.append(element('p', {}, texts.noAccess));
      break;
    case 'none':
      main.append(element('p', {}, texts.noPage));
      break;
    case 'failed':
      main.append(
        element('p', { class: 'bad', role: 'alert' }, failureOf(texts, seen.error.code)),
        button('plain', retry, [texts.retry]),
      );
      break;
    case 'page':
      main.append(element('h2', {}, texts.knowledgeOf(seen.host)), ...known(texts, seen));
      if (recognise !== undefined) {
        main.append(
          element(
            'footer',
            {},
            button('plain', recognise, [texts.recognise(seen.host)]),
            element('p', { class: 'muted' }, texts.recogniseNote),
          ),
        );
      }
  }
  return main;
}

function known(texts: ExtensionTexts, seen: SeenPage & { kind: 'page' }): HTMLElement[] {
  if (!seen.isOwn) return [element('p', {}, texts.unregistered(seen.host))];
  if (seen.entries.length === 0) return [element('p', {}, texts.noKnowledge)];
  const ofPage = seen.entries.filter(isOfPage);
  const ofSite = seen.entries.filter((entry) => !isOfPage(entry));
  const group = (name: string, entries: PageEntry[]) =>
    entries.length === 0
      ? []
      : [
          element('h3', {}, name),
          ...entries.map((entry) => entryView(texts, entry, entry === seen.entries[0])),
        ];
  return [...group(texts.ofPage, ofPage), ...group(texts.ofSite, ofSite)];
}

function entryView(texts: ExtensionTexts, entry: PageEntry, isOpen: boolean): HTMLElement {
  const { title, content, visibility } = entry;
  const tier = visibility === 'public' ? texts.visibility.public : texts.visibility.authenticated;
  const text = element('div', { class: 'text' });
  updateMarkdown(text, [], parseMarkdown(withoutTitle(content)), {
    ...{ citation: () => undefined, copyLabel: texts.copy, copied: texts.copied },
  });
  return element(
    'details',
    { open: isOpen },
    element('summary', {}, element('span', {}, title), element('small', {}, tier)),
    text,
  );
}

/** A text that begins with its headings, as those of documents do, would say its title once more. */
function withoutTitle(content: string): string {
  return content.replace(/^(?:#{1,6} .*\n+)+(?=[^#\n])/, '');
}
