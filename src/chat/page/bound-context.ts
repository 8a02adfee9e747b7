import type { FieldContext, FormContext, PageContext } from '../api-types.js';
import { toJson } from '../connection/plain-json.js';
import { redactAddress } from '../../platform/text/redact-address.js';

/** The size limit of the whole context as JSON, in bytes. */
export const mostBytes = 32_000;

/** Fields of these types are not even mentioned: their values are private. */
export const secretTypes = /^(?:password|hidden)$/;
/** Fields whose values are never sent, by autocomplete, name or id. */
export const secretFields = /cc-|cvv|cvc|card|iban|one-time|otp|passw|pwd|secret|token|\bpin\b/i;

/**
 * Limits a context to what the service accepts, whatever the page gave. Each text and list stays within the service's
 * limits (src/conversations/store/page-context.ts). The whole stays within 32 KB: the least informative parts are
 * dropped first. `mask` masks every text. With `values`, values of fields are included, masked.
 */
export function boundContext(
  context: Partial<PageContext>,
  mask?: (text: string) => string,
  values = false,
): PageContext {
  const text = (given: unknown, most: number): string => {
    // Mask before cutting: half of a number is not recognized.
    const whole = typeof given === 'string' ? given.slice(0, most * 2) : '';
    return (mask ? mask(whole) : whole).slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  };
  const list = (given: unknown, most: number): unknown[] =>
    Array.isArray(given) ? given.slice(0, most) : [];
  const objects = <T extends object>(given: unknown, most: number): Partial<T>[] =>
    list(given, most).filter((one): one is Partial<T> => typeof one === 'object' && one !== null);
  const texts = (given: unknown, count: number, most: number): string[] =>
    list(given, count).map((one) => text(one, most));
  const bound = <T extends object>(given: T, limits: Record<string, number>): Partial<T> =>
    Object.fromEntries(
      Object.entries(limits)
        .map(([key, most]) => [key, text(given[key as keyof T], most)])
        .filter(([, value]) => value),
    ) as Partial<T>;

  const field = (given: Partial<FieldContext>): FieldContext => ({
    name: text(given.name, 200),
    type: text(given.type, 50),
    ...bound(given, { label: 500, placeholder: 500, ...(mask && values && { value: 2000 }) }),
    ...(given.required && { required: true }),
    ...(given.options && { options: texts(given.options, 200, 200) }),
  });
  const form = (given: Partial<FormContext>): FormContext => ({
    ...bound(given, { id: 200, action: 2000, method: 20 }),
    fields: objects<FieldContext>(given.fields, 200)
      .filter(({ type }) => !secretTypes.test(String(type)))
      .map(field),
  });
  const { pageStructure } = context;
  return fitted({
    url: redactAddress(String(context.url), mask).slice(0, 4096),
    title: text(context.title, 1000),
    forms: objects<FormContext>(context.forms, 50).map(form),
    selectedText: text(context.selectedText, 8000),
    pageStructure: {
      headings: texts(pageStructure?.headings, 200, 500),
      navigation: texts(pageStructure?.navigation, 200, 500),
    },
  });
}

function fitted(context: PageContext): PageContext {
  const { selectedText = '', pageStructure, forms = [] } = context;
  const { headings = [], navigation = [] } = pageStructure ?? {};
  const structure = (names: number, links: number): Partial<PageContext> => ({
    pageStructure: { headings: headings.slice(0, names), navigation: navigation.slice(0, links) },
  });
  const fewer = (count: number): Partial<PageContext> => ({
    forms: forms.slice(0, count).map((form) => ({
      ...form,
      fields: form.fields.slice(0, 30).map(({ options: _options, ...field }) => field),
    })),
  });
  const steps = [
    {},
    structure(200, 30),
    fewer(50),
    structure(50, 0),
    fewer(3),
    { forms: [] },
    structure(10, 0),
    { selectedText: selectedText.slice(0, 2000) },
    structure(0, 0),
  ];
  let kept = context;
  for (const step of steps) {
    kept = { ...kept, ...step };
    if (new TextEncoder().encode(toJson(kept)).length <= mostBytes) break;
  }
  return kept;
}
