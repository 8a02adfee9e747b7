import type { FieldContext, FormContext, PageContext } from '../api-types.js';
import { boundContext, secretFields, secretTypes } from './bound-context.js';
import { selectedNow } from './watch-selection.js';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * What the assistant is told of this page: what can be seen on it, in the order of the page, with what `setContext`
 * gave, and `checkContext` left of it, in place of what was found. A giant page costs no more than its beginning.
 * Nothing within the widget is read: its shadow root is closed to these searches.
 */
export function readPage(options: {
  given: Partial<PageContext> | null;
  /** Masks every text. */
  mask?: ((text: string) => string) | undefined;
  /** Whether the values of fields are told, which takes a mask. */
  values?: boolean;
  /** What `watchSelection` remembers. */
  selected?: string;
}): PageContext {
  const { given, mask, values = false, selected = selectedNow() } = options;
  const found: PageContext = {
    ...{ url: addressOf(given?.url), title: document.title, selectedText: selected },
    forms: given?.forms ?? readForms(values && !!mask),
    pageStructure: given?.pageStructure ?? {
      headings: seen('h1,h2,h3,h4,h5,h6,[role=heading]', 200).map(words),
      navigation: seen('nav a,[role=navigation] a,header a', 200).map(words),
    },
  };
  return boundContext({ ...found, ...given, url: found.url }, mask, values);
}

/**
 * An address as the service takes one, from what the page gave, else its own. What a page has written into a frame is
 * at `about:srcdoc`: its base is the address of that page.
 */
function addressOf(given: string | undefined): string {
  const { href, origin } = location;
  for (const address of [given, href, document.baseURI, origin]) {
    try {
      const url = new URL(address ?? '', document.baseURI);
      if (address && /^https?:$/.test(url.protocol)) return url.href;
    } catch {
      // The next one.
    }
  }
  return href;
}

/** The first elements that are rendered. Of a giant page no more than three times as many are looked at. */
function seen<T extends HTMLElement>(selector: string, most: number): T[] {
  const all = document.querySelectorAll<T>(selector);
  const found: T[] = [];
  for (let index = 0; index < most * 3 && found.length < most; index += 1) {
    const element = all[index];
    if (!element) break;
    if (element.getClientRects().length > 0) found.push(element);
  }
  return found;
}

function words(element: Element): string {
  return element.textContent.slice(0, 2000).replace(/\s+/g, ' ').trim();
}

/** Forms with their fields; what stands in none comes as a form of its own. */
function readForms(values: boolean): FormContext[] {
  const forms = new Map<HTMLFormElement | null, FieldContext[]>();
  // From the labels to the fields: the other way, each field would be looked for in the whole page.
  const labels = new Map<Element | null, string>();
  for (const label of seen<HTMLLabelElement>('label', 300)) labels.set(label.control, words(label));
  for (const field of seen<Field & HTMLElement>('input,select,textarea', 300)) {
    if (secretTypes.test(field.type) || /^(?:submit|reset|button|image)$/.test(field.type))
      continue;
    const fields = forms.get(field.form) ?? [];
    forms.set(field.form, fields);
    fields.push(readField(field, labels.get(field), values));
  }
  return Array.from(forms, ([form, fields]) => {
    const { id, method } = form ?? {};
    // What an address of a form ends in may be a secret of the reader's.
    const action = form?.getAttribute('action')?.replace(/[?#][^]*/, '');
    return { ...(form && { id, method }), ...(action && { action }), fields } as FormContext;
  });
}

function readField(field: Field, labelled: string | undefined, values: boolean): FieldContext {
  const { name, id, type, required } = field;
  const label = field.getAttribute('aria-label') ?? labelled ?? '';
  const told =
    values && type !== 'file' && !secretFields.test(`${field.autocomplete} ${name} ${id}`);
  const ticked = /^(?:checkbox|radio)$/.test(type) && 'checked' in field;
  return {
    ...{ name: name || id, type, label, required },
    placeholder: field.getAttribute('placeholder') ?? '',
    ...('options' in field && { options: Array.from(field.options).slice(0, 200).map(words) }),
    ...(told && { value: ticked ? String(field.checked) : field.value }),
  };
}
