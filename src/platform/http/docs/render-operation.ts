import { html, type Html } from '../html.js';
import type {
  Content,
  JsonSchema,
  OperationObject,
  Parameter,
  Response,
} from '../openapi/document.js';
import { describeField, type FieldRow, listFields, type Resolve } from './list-fields.js';

/** Renders one operation as a section with its operationId as the anchor. */
export function renderOperation(
  method: string,
  path: string,
  operation: OperationObject,
  resolve: Resolve,
): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const replies = Object.entries(responses).filter(([, response]) => !isRefusal(response));
  return html`<section class="operation" id="${operationId}">
    <h3>
      <a href="#${operationId}"
        ><span class="method ${method}">${method.toUpperCase()}</span>
        <code>${breakable(path)}</code></a
      >
    </h3>
    <p>${renderText([`${summary}.`, description ?? ''].join(' ').trim())}</p>
    <p class="access"><b>Who may call it:</b> ${operation['x-access']}</p>
    ${parameters.length === 0 ? '' : [html`<h4>Parameters</h4>`, parameterTable(parameters, resolve)]}
    ${requestBody === undefined ? '' : [html`<h4>Body</h4>`, content(requestBody.content, resolve, true)]}
    <h4>Example</h4>
    <pre tabindex="0"><code>${sampleRequest(method, path, operation, resolve)}</code></pre>
    <h4>Answers</h4>
    ${replies.map(([status, response]) => reply(status, response, resolve))}
    <p class="refusals"><b>Refusals of its own:</b> ${codes(operation)}</p>
  </section>`;
}

function isRefusal({ content = {} }: Response): boolean {
  return Object.keys(content).join() === 'application/problem+json';
}

function reply(status: string, response: Response, resolve: Resolve): Html {
  const { 'application/problem+json': _, ...shown } = response.content ?? {};
  const said = response.description.split('\n\n')[0] ?? '';
  const headers = ['Location', 'ETag'].filter((name) => name in (response.headers ?? {}));
  return html`<p class="reply">
      <b class="status">${status}</b> ${said}
      ${headers.length === 0 ? '' : html`With ${headers.join(' and ')}.`}
    </p>
    ${content(shown, resolve, false)}`;
}

function content(content: Content, resolve: Resolve, request: boolean): Html[] {
  return Object.entries(content).map(([type, { schema }]) => {
    const rows = listFields(schema, resolve);
    const named = html`<p class="type"><code>${type}</code></p>`;
    return rows.length === 0 ? named : html`${named}${fieldTable(rows, request)}`;
  });
}

function parameterTable(parameters: Parameter[], resolve: Resolve): Html {
  const rows = parameters.map((parameter) => {
    const described = describeField(parameter.schema, resolve);
    const place = parameter.in === 'query' ? '' : ` (${parameter.in})`;
    return {
      ...described,
      name: parameter.name + place,
      required: parameter.required,
      description: parameter.description ?? described.description,
    };
  });
  return fieldTable(rows, true);
}

/** Only requests show which fields are required. */
function fieldTable(rows: FieldRow[], request: boolean): Html {
  return html`<div class="scroll" tabindex="0">
    <table>
      <thead>
        <tr>
          <th>Field</th>
          <th>Type</th>
          <th>Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <td><code>${breakable(row.name)}</code>${mark(row, request)}</td>
              <td>${row.type}</td>
              <td>
                ${renderText(row.description)}
                ${row.limits === '' ? '' : html`<span class="limits">${row.limits}</span>`}
              </td>
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

function mark({ required }: FieldRow, request: boolean): Html {
  if (request) return required ? html` <b class="required">required</b>` : html``;
  return required ? html`` : html` <span class="optional">where there is one</span>`;
}

function codes(operation: OperationObject): Html {
  const links = operation['x-refusals'].map(
    (code) => html`<a href="#error-${code}"><code>${code}</code></a> `,
  );
  return html`${links}`;
}

/** Allows line breaks after each slash and dot of long paths and names. */
function breakable(text: string): Html {
  return html`${text.split(/(?<=[/.])/).map((part) => html`${part}<wbr />`)}`;
}

/** Sample values by field name, where they read better than "text". */
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

/** A terminal command that calls the operation. URL, TOKEN and similar words are placeholders. */
function sampleRequest(
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

/** The smallest useful sample value. For an object: its required fields, or its first field if none is required. */
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

/** A description. Code in `backticks` is marked up; all else is text. */
export function renderText(text: string): Html {
  return html`${text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** Paragraphs, separated by blank lines. */
export function renderParagraphs(text: string): Html {
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${renderText(paragraph)}</p>`)}`;
}
