import type { FieldContext, FormContext, PageContext } from '../api-types.js';
import { boundContext, secretFields, secretTypes } from './bound-context.js';
import { selectedNow } from './watch-selection.js';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Reads the page's context for the assistant: the visible content in the page's order, with the valid parts of
 * `setContext` in place of what was found. A huge page costs no more than its beginning. The widget itself is not read:
 * queries do not enter its shadow root.
 */
export function readPage(options: {
  given: Partial<PageContext> | null;
  mask?: ((text: string) => string) | undefined;
  /** Include the values of fields; requires a mask. */
  values?: boolean;
  /** The text that `watchSelection` remembers. */
  selected?: string;
}): PageContext {
  const { given, mask, values = false, selected = selectedNow() } = options;
  const found: PageContext = {
    url: addressOf(given?.url),
    title: document.title,
    selectedText: selected,
    forms: given?.forms ?? readForms(values && !!mask),
    pageStructure: given?.pageStructure ?? {
      headings: seen('h1,h2,h3,h4,h5,h6,[role=heading]', 200).map(words),
      navigation: seen('nav a,[role=navigation] a,header a', 200).map(words),
    },
  };
  return boundContext({ ...found, ...given, url: found.url }, mask, values);
}

/**
 * An address that the service accepts: the one given by the page, else the page's own. A document written into a frame
 * is at `about:srcdoc`; its base is the page's address.
 */
function addressOf(given: string | undefined): string {
  const { href, origin } = location;
  for (const address of [given, href, document.baseURI, origin]) {
    try {
      const url = new URL(address ?? '', document.baseURI);
      if (address && /^https?:$/.test(url.protocol)) return url.href;
    } catch {
      // An invalid address: try the next one.
    }
  }
  return href;
}

/** The first rendered elements. On a huge page at most three times as many are examined. */
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

/** Forms with their fields. Fields outside a form become one form of their own. */
function readForms(values: boolean): FormContext[] {
  const forms = new Map<HTMLFormElement | null, FieldContext[]>();
  // Go from labels to fields: the other way would search the whole page for each field.
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
    // The query of a form's address may contain a secret of the reader.
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
    name: name || id,
    type,
    label,
    required,
    placeholder: field.getAttribute('placeholder') ?? '',
    ...('options' in field && { options: Array.from(field.options).slice(0, 200).map(words) }),
    ...(told && { value: ticked ? String(field.checked) : field.value }),
  };
}
