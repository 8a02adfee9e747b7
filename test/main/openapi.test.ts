import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { operations } from '../../src/main/create-server.js';
import { errorCodes, type ErrorCode } from '../../src/platform/errors.js';
import type { OpenApiDocument } from '../../src/platform/http/openapi/document.js';
import { packageVersion } from '../../src/platform/package-root.js';
import { callApi } from '../support/api-client.js';
import { declaredOperations, describedOperations } from '../support/described-operations.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestUser,
} from '../support/test-app.js';
import { specifiedEndpoints } from '../support/specified-endpoints.js';

describe('The OpenAPI document', () => {
  let test: TestApp & { url: string };
  let admin: TestUser;
  let domain: string;
  let document: OpenApiDocument;
  let described: ReturnType<typeof describedOperations>;

  before(async () => {
    test = await serveTestApp();
    const acme = await addOrganization(test);
    domain = acme.domain;
    admin = await addUser(test, acme, 'admin');
    const reply = await callApi<OpenApiDocument>(`${test.url}/api/openapi.json`);
    assert.equal(reply.status, 200);
    document = reply.body;
    described = describedOperations(document);
  });
  after(() => test.close());

  it('is valid OpenAPI 3.1 with the product’s version and paths of its own server', async () => {
    const { valid, errors } = await new Validator().validate({ ...document });
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(document.openapi, '3.1.0');
    assert.equal(document.info.version, packageVersion());
    assert.deepEqual(
      document.servers.map(({ url }) => url),
      ['/'],
    );
  });

  it('describes exactly the declared operations', () => {
    assert.deepEqual([...described.keys()].sort(), declaredOperations().sort());
  });

  it('describes every endpoint of the specification', () => {
    const missing = specifiedEndpoints.filter((endpoint) => !described.has(endpoint));
    assert.deepEqual(missing, []);
  });

  it('gives each operation a unique id that follows from its method and path', () => {
    const names = [...described.values()].map(({ operationId }) => operationId);
    assert.equal(new Set(names).size, names.length);
    assert.equal(described.get('GET /api/knowledge/:id')?.operationId, 'getKnowledgeById');
    const approve = described.get('POST /api/knowledge/ingestion-batches/:batch_id/approve');
    assert.equal(approve?.operationId, 'postKnowledgeIngestionBatchesByBatchIdApprove');
  });

  it('lists every error code with its status', () => {
    const listed = Object.fromEntries(
      document['x-error-codes'].map(({ code, status }) => [code, status]),
    );
    const expected = Object.entries(errorCodes).map(([code, { status }]) => [code, status]);
    assert.deepEqual(listed, Object.fromEntries(expected));
  });

  it('names the error codes of each status of an operation, as problems', () => {
    for (const [name, operation] of described) {
      for (const code of operation['x-refusals'] as ErrorCode[]) {
        const response = operation.responses[errorCodes[code].status];
        const { schema } = response?.content?.['application/problem+json'] ?? {};
        assert.equal(schema?.$ref, '#/components/schemas/Problem', name);
        assert.ok(schema.properties?.['code']?.enum?.includes(code), `${name}: ${code}`);
      }
      for (const status of [400, 405, 500, 503]) {
        assert.ok(operation.responses[status], `${name}: ${status}`);
      }
      const watches = / \/(health\/|metrics)/.test(name);
      assert.equal(operation.responses[429] === undefined, watches, name);
    }
  });

  it('lists 401 and 403 for operations with rights, 404 for ids, and 413 and 415 for bodies', () => {
    const statuses = (name: string) => Object.keys(described.get(name)?.responses ?? {});
    const has = (name: string, expected: string[], not: string[]) => {
      for (const status of expected)
        assert.ok(statuses(name).includes(status), `${name} ${status}`);
      for (const status of not) assert.ok(!statuses(name).includes(status), `${name} ${status}`);
    };
    has('PUT /api/knowledge/:id', ['401', '403', '404', '412', '413', '415'], []);
    has('GET /api/knowledge/page', ['401', '403'], ['404', '413', '415']);
    has('GET /health/live', ['200'], ['401', '403', '404', '413', '415']);
    has('POST /api/knowledge/ingest-pdf', ['202', '413', '415'], []);
  });

  it('names the credentials and roles of each operation', () => {
    const security = (name: string) => described.get(name)?.security;
    assert.deepEqual(security('POST /api/knowledge'), [{ bearer: ['backoffice', 'admin'] }]);
    assert.deepEqual(security('POST /api/auth/login'), []);
    assert.deepEqual(security('GET /api/knowledge/page'), [
      {},
      { bearer: [] },
      { userToken: [] },
      { widgetKey: [] },
    ]);
    const schemes = Object.keys(document.components.securitySchemes);
    for (const { security: alternatives } of described.values()) {
      const named = alternatives.flatMap((alternative) => Object.keys(alternative));
      assert.ok(named.every((name) => schemes.includes(name)));
    }
  });

  it('describes the upload as a form with a PDF, and streams by their content type', () => {
    const upload = described.get('POST /api/knowledge/ingest-pdf')?.requestBody?.content;
    const form = upload?.['multipart/form-data']?.schema;
    assert.deepEqual(form?.required, ['file']);
    assert.equal(form.properties?.['file']?.contentMediaType, 'application/pdf');
    const events = described.get('GET /api/knowledge/ingestion-batches/:batch_id/events');
    assert.ok(events?.responses['200']?.content?.['text/event-stream']);
  });

  it('has schemas for all bodies and answers, which a JSON Schema 2020-12 validator accepts', () => {
    // Named schemas are compiled once each. Inlined into each answer, they take ten times as long.
    const code = { optimize: false };
    const ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false, code });
    ajv.addSchema(document, 'document', undefined, false);
    let compiled = 0;
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { responses, requestBody }] of Object.entries(methods)) {
        const places = Object.keys(responses).flatMap((status) =>
          Object.keys(responses[status]?.content ?? {}).map(
            (type) => ['responses', status, 'content', type, 'schema'] as string[],
          ),
        );
        for (const type of Object.keys(requestBody?.content ?? {})) {
          places.push(['requestBody', 'content', type, 'schema']);
        }
        for (const place of places) {
          const pointer = ['paths', path, method, ...place].map(
            (part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
          );
          ajv.compile({ $ref: `document#${pointer.join('')}` });
          compiled++;
        }
      }
    }
    assert.ok(compiled > operations.length * 4, String(compiled));
  });

  it('matches real answers: an entry, a list, refusals, and their headers', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'document', undefined, false);
    const check = (
      name: string,
      { status, headers, body }: Awaited<ReturnType<typeof callApi>>,
    ) => {
      const response = described.get(name)?.responses[status];
      const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
      const schema = response?.content?.[type]?.schema;
      assert.ok(schema, `${name} ${status} ${type}`);
      const pointed = JSON.parse(
        JSON.stringify(schema).replaceAll('"#/components', '"document#/components'),
      ) as object;
      const validate = ajv.compile(pointed);
      assert.ok(validate(body), `${name}: ${ajv.errorsText(validate.errors)}`);
      for (const header of ['Location', 'ETag'].filter((key) => key in (response.headers ?? {}))) {
        assert.ok(headers.has(header), `${name} ${status} has no ${header}`);
      }
    };
    const { token } = admin;
    const base = `${test.url}/api/knowledge`;
    const made = await callApi<{ id: string }>(base, {
      token,
      body: { title: 'Refunds', content: 'Within 30 days.', domain },
    });
    check('POST /api/knowledge', made);
    check('GET /api/knowledge', await callApi(base, { token }));
    check('GET /api/knowledge/:id', await callApi(`${base}/${made.body.id}`, { token }));
    check('GET /api/knowledge/:id', await callApi(`${base}/nothing`, { token }));
    check('POST /api/knowledge', await callApi(base, { token, body: { title: 7 } }));
    check('GET /api/knowledge', await callApi(base));
    check('GET /health/ready', await callApi(`${test.url}/health/ready`));
  });

  it('has a description for every parameter', () => {
    const bare = [...described].flatMap(([name, { parameters = [] }]) =>
      parameters
        .filter(({ description = '' }) => description === '')
        .map((parameter) => `${name} ${parameter.name}`),
    );
    assert.deepEqual(bare, []);
  });
});
