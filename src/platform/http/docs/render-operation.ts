import { html, type Html } from '../html.js';
import type { Content, OperationObject, Parameter, Response } from '../openapi/document.js';
import { describeField, listFields, type FieldRow, type Resolve } from './list-fields.js';
import { renderText } from './render-text.js';
import { sampleRequest } from './sample-request.js';

/** One operation as a section of the page, under its operationId. */
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

/** A response that is nothing but a problem. */
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

/** What is required is said of requests only: answers hold what they say. */
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

/** Long paths and names may be broken after each slash and dot. */
function breakable(text: string): Html {
  return html`${text.split(/(?<=[/.])/).map((part) => html`${part}<wbr />`)}`;
}
