import type { JsonSchema, OperationObject } from '../openapi/document.js';
import type { Resolve } from './list-fields.js';

/** Values that read better than the word "text", by the name of the field. */
const samples: Record<string, string> = {
  email: 'ada@example.com',
  password: 'correct horse battery',
  url: 'https://docs.example.com/invoices/7',
  domain: 'docs.example.com',
  host: 'docs.example.com',
  url_pattern: '/invoices/:id',
  path: '/invoices/:id',
  title: 'Paying an invoice',
  content: 'An invoice is paid by card or by transfer.',
  question: 'How do I pay an invoice?',
  message: 'How do I pay an invoice?',
  response: 'By card or by transfer.',
  name: 'Example',
  externalId: 'user-7',
  refreshToken: '$REFRESH_TOKEN',
};

/** A command for a terminal that calls the operation; URL, TOKEN and the like stand for the reader's own. */
export function sampleRequest(
  method: string,
  path: string,
  operation: OperationObject,
  resolve: Resolve,
): string {
  const query = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(
      ({ name, schema }) =>
        `${name}=${encodeURIComponent(String(sampleOf(schema, resolve, name)))}`,
    );
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const address = `$URL${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  const verb =
    method === 'get' || operation.requestBody !== undefined ? '' : `-X ${method.toUpperCase()} `;
  const bodied = method === 'put' && operation.requestBody !== undefined ? '-X PUT ' : verb;
  return [
    `curl ${bodied}"${address}"`,
    ...credentials(operation),
    ...body(operation, resolve),
  ].join(' \\\n  ');
}

function credentials({ security }: OperationObject): string[] {
  const named = security.find((alternative) => Object.keys(alternative).length > 0) ?? {};
  const headers: Record<string, string> = {
    bearer: 'Authorization: Bearer $TOKEN',
    userToken: 'Authorization: Bearer $USER_TOKEN',
    widgetKey: 'X-Widget-Key: $WIDGET_KEY',
    widgetSecret: 'X-Widget-Secret: $WIDGET_SECRET',
  };
  return Object.keys(named).map((scheme) => `-H "${headers[scheme] ?? scheme}"`);
}

function body({ requestBody }: OperationObject, resolve: Resolve): string[] {
  const json = requestBody?.content['application/json'];
  if (json !== undefined) {
    const text = JSON.stringify(sampleOf(json.schema, resolve, ''));
    return [`-H "Content-Type: application/json"`, `-d '${text.replaceAll("'", "'\\''")}'`];
  }
  const form = requestBody?.content['multipart/form-data'];
  return (form?.schema.required ?? []).map((field) => `-F ${field}=@manual.pdf`);
}

/** The smallest value that makes sense: of an object its required fields, or the first where none is. */
function sampleOf(schema: JsonSchema, resolve: Resolve, name: string): unknown {
  const here = resolve(schema);
  const [example] = here.examples ?? [];
  if (example !== undefined) return example;
  if (here.const !== undefined) return here.const;
  if (here.enum !== undefined) return here.enum[0];
  const [choice] = here.anyOf ?? here.oneOf ?? [];
  if (choice !== undefined) return sampleOf(choice, resolve, name);
  switch (Array.isArray(here.type) ? here.type[0] : here.type) {
    case 'object':
      return sampleObject(here, resolve);
    case 'array':
      return here.items === undefined ? [] : [sampleOf(here.items, resolve, name)];
    case 'integer':
    case 'number':
      return Math.max(1, here.minimum ?? 1);
    case 'boolean':
      return true;
    default:
      return samples[name] ?? 'text';
  }
}

function sampleObject({ properties = {}, required = [] }: JsonSchema, resolve: Resolve): unknown {
  const all = Object.entries(properties);
  const needed = all.filter(([key]) => required.includes(key));
  const shown = needed.length > 0 ? needed : all.slice(0, 1);
  return Object.fromEntries(shown.map(([key, value]) => [key, sampleOf(value, resolve, key)]));
}
