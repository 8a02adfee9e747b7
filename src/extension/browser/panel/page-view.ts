import { readTitle } from '../../../platform/text/heading.js';
import { button, element } from '../../../chat/dom/element.js';
import { parseMarkdown } from '../../../chat/markdown/parse-markdown.js';
import { updateMarkdown } from '../../../chat/markdown/render-markdown.js';
import { failureOf } from '../texts/failure-of.js';
import type { ExtensionTexts } from '../texts/texts.js';
import { isOfPage, type PageEntry } from './know-page.js';
import type { SeenPage } from './watch-page.js';

/** The chapters and entries of a list that are shown before "show all". */
const mostShown = 8;

/** Shows the known facts about the page beside the panel. */
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
      main.append(...known(texts, seen));
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
  const { host, entries, isOwn, isCut } = seen;
  const heading = (text: string) => element('h2', {}, text);
  const sentence = (text: string) => element('p', { class: 'muted' }, text);
  if (!isOwn) return [heading(texts.unregistered(host)), sentence(texts.unregisteredNote)];
  if (entries.length === 0) {
    return [heading(texts.knowledgeOf(host)), sentence(texts.noKnowledge)];
  }
  const ofPage = entries.filter(isOfPage);
  const ofSite = entries.filter((entry) => !isOfPage(entry));
  const views = listView(texts, ofPage);
  views[0]?.setAttribute('open', '');
  return [
    heading(texts.knowledgeOf(host)),
    element('h3', {}, texts.ofPage),
    ...(views.length > 0 ? views : [sentence(texts.noneOfPage)]),
    ...(ofSite.length > 0 ? [element('h3', {}, texts.ofSite), ...listView(texts, ofSite)] : []),
    ...(isCut ? [sentence(texts.more)] : []),
  ];
}

/** A list of entries by chapter: the first few, and a button for the rest. */
function listView(texts: ExtensionTexts, entries: readonly PageEntry[]): HTMLElement[] {
  const chapters = new Map<string, PageEntry[]>();
  for (const entry of entries) {
    const { chapters: above, heading } = readTitle(entry.title);
    const name = above[0] ?? `${heading} ${entry.id}`;
    chapters.set(name, [...(chapters.get(name) ?? []), entry]);
  }
  const views = [...chapters].map(([name, inIt]) => {
    const [first] = inIt;
    return inIt.length === 1 && first !== undefined
      ? entryView(texts, first, first.title)
      : chapterView(texts, name, inIt);
  });
  const others = views.slice(mostShown);
  if (others.length === 0) return views;
  const more = button(
    'plain',
    () => {
      more.replaceWith(...others);
      others[0]?.querySelector('summary')?.focus();
    },
    [texts.showAll(views.length)],
  );
  return [...views.slice(0, mostShown), more];
}

function chapterView(texts: ExtensionTexts, name: string, entries: PageEntry[]): HTMLElement {
  return element(
    'details',
    { class: 'chapter' },
    summary(name, String(entries.length)),
    ...entries.map((entry) => entryView(texts, entry, entry.title.slice(`${name} › `.length))),
  );
}

function entryView(
  texts: ExtensionTexts,
  { content, visibility }: PageEntry,
  title: string,
): HTMLElement {
  const text = element('div', { class: 'text' });
  updateMarkdown(text, [], parseMarkdown(withoutTitle(content)), {
    citation: () => undefined,
    copyLabel: texts.copy,
    copied: texts.copied,
  });
  const tier = visibility === 'public' ? '' : texts.signedInOnly;
  return element('details', {}, summary(title, tier), text);
}

function summary(title: string, note: string): HTMLElement {
  return element(
    'summary',
    {},
    element('span', {}, title),
    // Keeps the note on the line of the last word.
    note !== '' && '\u00a0',
    note !== '' && element('small', {}, note),
  );
}

/** Removes leading headings that repeat the title, as in texts from documents. */
function withoutTitle(content: string): string {
  return content.replace(/^(?:#{1,6} .*\n+)+(?=[^#\n])/, '');
}
