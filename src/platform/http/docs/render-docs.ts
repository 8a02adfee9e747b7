import { html, type Html } from '../html.js';
import type { OpenApiDocument, OperationObject } from '../openapi/document.js';
import { resolver } from './list-fields.js';
import { renderOperation, renderParagraphs, renderText } from './render-operation.js';

interface Listed {
  method: string;
  path: string;
  operation: OperationObject;
}

/**
 * Renders the document as one page that needs only its style sheet. `template` is the surrounding page with the
 * placeholders {{title}}, {{version}}, {{navigation}} and {{content}}.
 */
export function renderDocs(document: OpenApiDocument, template: string): string {
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: listed.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const resolve = resolver(document.components.schemas);
  const content = html`
    <section id="introduction">${renderParagraphs(document.info.description)}</section>
    <section id="credentials">
      <h2>Credentials</h2>
      ${credentials(document)}
    </section>
    ${groups.map(
      ({ name, description, operations }) =>
        html`<section id="${anchor(name)}">
          <h2>${name}</h2>
          <p>${description}</p>
          ${operations.map(({ method, path, operation }) =>
            renderOperation(method, path, operation, resolve),
          )}
        </section>`,
    )}
    <section id="errors">
      <h2>Errors</h2>
      ${errors(document)}
    </section>
  `;
  const parts: Record<string, Html> = {
    title: html`${document.info.title}`,
    version: html`${document.info.version}`,
    navigation: navigation(groups),
    content,
  };
  return template.replaceAll(
    /\{\{(\w+)\}\}/g,
    (whole, name: string) => parts[name]?.markup ?? whole,
  );
}

function anchor(tag: string): string {
  return tag.toLowerCase();
}

function navigation(groups: { name: string; operations: Listed[] }[]): Html {
  const group = (name: string, operations: Listed[]): Html =>
    html`<li>
      <a href="#${anchor(name)}">${name}</a>
      ${
        operations.length === 0
          ? ''
          : html`<ul>
              ${operations.map(
                ({ method, path, operation }) =>
                  html`<li>
                    <a href="#${operation.operationId}" title="${operation.summary}"
                      ><span class="method ${method}">${method.toUpperCase()}</span>
                      <span class="path">${path.replace(/^\/api\//, '/')}</span></a
                    >
                  </li> `,
              )}
            </ul>`
      }
    </li>`;
  return html`<ul>
    ${group('Introduction', [])} ${group('Credentials', [])}
    ${groups.map(({ name, operations }) => group(name, operations))} ${group('Errors', [])}
  </ul>`;
}

function credentials({ components }: OpenApiDocument): Html {
  const headers: Record<string, string> = {
    bearer: 'Authorization: Bearer <access token>',
    userToken: 'Authorization: Bearer <user token>',
  };
  return html`<dl>
    ${Object.entries(components.securitySchemes).map(
      ([name, scheme]) =>
        html`<dt><code>${headers[name] ?? `${scheme['name'] ?? name}: …`}</code></dt>
          <dd>${scheme['description'] ?? ''}</dd>`,
    )}
  </dl>`;
}

function errors(document: OpenApiDocument): Html {
  return html`<p>
      Any operation may answer with the codes of 405, 429, 500 and 503; the others are named with
      the operations that give them. Those of 415 and 422 about a PDF also end a batch.
    </p>
    <div class="scroll" tabindex="0">
      <table>
        <thead>
          <tr>
            <th>Code</th>
            <th>Status</th>
            <th>Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${document['x-error-codes'].map(
            ({ code, status, meaning }) =>
              html`<tr id="error-${code}">
                <td><code>${code}</code></td>
                <td>${status}</td>
                <td>${renderText(meaning)}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
}
