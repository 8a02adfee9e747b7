import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { settingVariables } from '../../src/platform/config/environment.js';
import { configSchema } from '../../src/platform/config/schema.js';
import { packageRoot } from '../../src/platform/package-root.js';

const read = (name: string) => readFileSync(join(packageRoot(), name), 'utf8');

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes: string[];
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop: string[];
  security_opt: string[];
  stop_grace_period?: string;
}

/** The instructions of the last stage of the Dockerfile: `ENV NODE_ENV=production`, with its lines joined. */
function lastStage(): string[] {
  const joined = read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '');
  return joined.slice(joined.lastIndexOf('\nFROM ')).trim().split('\n').filter(Boolean);
}

describe('The container image', () => {
  const of = (name: string) => lastStage().filter((line) => line.startsWith(`${name} `));

  it('contains only Node and the program, runs as a non-root user and keeps its data in /data', () => {
    assert.deepEqual(of('USER'), ['USER 10001']);
    assert.deepEqual(of('VOLUME'), ['VOLUME /data']);
    const program = '/app/lib/node_modules/assistant/bin/assistant.js';
    assert.deepEqual(of('ENTRYPOINT'), [`ENTRYPOINT ["node", "${program}"]`]);
    assert.deepEqual(of('CMD'), ['CMD ["serve"]']);
    const copied = of('COPY').map((line) => line.split(' ').at(-1));
    assert.deepEqual(copied, ['/usr/local/bin/node', '/app']);
    assert.doesNotMatch(of('RUN').join(), /npm/);
    // So that `docker exec <container> assistant backup` works.
    assert.match(of('ENV').join(), / PATH=\/app\/bin:\$PATH/);
  });

  it('checks its health on the configured port and sets only settings that exist', () => {
    const variables =
      of('ENV')
        .join(' ')
        .match(/ASSISTANT_\w+/g) ?? [];
    const known = new Set([...settingVariables().keys(), 'ASSISTANT_CONFIG']);
    assert.ok(variables.length > 2);
    assert.deepEqual(
      variables.filter((name) => !known.has(name)),
      [],
    );
    const [check = ''] = of('HEALTHCHECK');
    assert.match(
      check,
      /CMD \["node", "--eval", "fetch\(`[^`]*ASSISTANT_SERVER_PORT[^`]*\/health\/ready`\)/,
    );
  });

  it('is built without the data, secrets and build output of the machine', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const name of [
      '.git',
      '**/node_modules',
      'dist*',
      'data',
      'config.yaml',
      'secrets.env',
      '**/.env',
    ])
      assert.ok(ignored.includes(name), name);
  });
});

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<'assistant' | 'worker' | 'ollama', Service>;
    volumes: object;
  };
  const { assistant, worker, ollama } = services;

  it('runs server and worker from one image on one volume, with a read-only root and no capabilities', () => {
    for (const service of [assistant, worker]) {
      assert.equal(service.image, 'assistant');
      assert.equal(service.read_only, true);
      assert.deepEqual(service.tmpfs, ['/tmp']);
      assert.deepEqual(service.volumes, ['data:/data']);
    }
    for (const service of [assistant, worker, ollama]) {
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
    }
    assert.deepEqual(worker.command, ['worker']);
    assert.deepEqual(Object.keys(volumes), ['data', 'models']);
  });

  it('publishes the server on 127.0.0.1 only, and leaves ingestion and notifications to the worker', () => {
    assert.deepEqual(assistant.ports, ['127.0.0.1:8080:8080']);
    assert.equal(ollama.ports, undefined);
    const { ASSISTANT_OLLAMA_URL: model, ...others } = assistant.environment ?? {};
    assert.equal(model, 'http://ollama:11434');
    assert.deepEqual(worker.environment, { ASSISTANT_OLLAMA_URL: model });
    assert.deepEqual(others, {
      ASSISTANT_INGESTION_WORKER: 'false',
      ASSISTANT_NOTIFICATIONS_WORKER: 'false',
    });
    const known = settingVariables();
    for (const name of Object.keys(assistant.environment ?? {})) assert.ok(known.has(name), name);
  });

  it('gives the server more time to stop than its settings allow it to take', () => {
    const { stop_delay_ms, drain_timeout_ms } = configSchema.parse({}).server;
    const seconds = Number(/^(\d+)s$/.exec(assistant.stop_grace_period ?? '')?.[1]);
    assert.ok(seconds * 1000 > stop_delay_ms + drain_timeout_ms + 5000);
  });
});

describe('The example with several servers', () => {
  const { services } = parse(read('templates/examples/several-servers/compose.yaml'), {
    merge: true,
  }) as { services: Record<string, Service> };
  const environmentOf = (name: string) => services[name]?.environment ?? {};

  it('gives all processes one database and one key, and HAProxy the time to see a stop', () => {
    const shared = environmentOf('worker');
    assert.deepEqual(Object.keys(shared), [
      'ASSISTANT_OLLAMA_URL',
      'ASSISTANT_DATABASE_URL',
      'ASSISTANT_AUTH_SECRETS_KEY',
      'ASSISTANT_SERVER_PUBLIC_URL',
    ]);
    const balancer = read('templates/examples/several-servers/haproxy.cfg');
    const [, seconds, checks] = /inter (\d)s fall (\d)/.exec(balancer) ?? [];
    const known = settingVariables();
    for (const name of ['server-1', 'server-2']) {
      const own = environmentOf(name);
      assert.deepEqual({ ...own, ...shared }, own);
      for (const variable of Object.keys(own)) assert.ok(known.has(variable), variable);
      assert.ok(balancer.includes(` ${name}:8080`));
      const delayMs = Number(own['ASSISTANT_SERVER_STOP_DELAY_MS']);
      assert.ok(delayMs > 1000 * Number(seconds) * Number(checks));
      const { drain_timeout_ms } = configSchema.parse({}).server;
      const grace = Number.parseInt(services[name]?.stop_grace_period ?? '', 10);
      assert.ok(grace * 1000 >= delayMs + drain_timeout_ms + 5000);
    }
    assert.deepEqual(services['haproxy']?.ports, ['127.0.0.1:8000:8000']);
  });
});
