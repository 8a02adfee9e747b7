import { createHash, randomUUID } from 'node:crypto';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import type { App } from '../../src/platform/app.js';
import { insertRow } from '../../src/platform/db/record.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { createOrganization } from '../../src/tenancy/all-organizations.js';

/** The kinds of things that a request can name. */
export const kinds = [
  ...['app', 'domainId', 'domain', 'view', 'url', 'entry', 'entryNumber', 'batch', 'draft'],
  'splitDraft',
  ...['failedBatch', 'conversation', 'answer', 'request', 'notification', 'user', 'email'],
  ...[
    'endUser',
    'accountLink',
    'widgetConversation',
    'widgetAnswer',
    'widgetNotification',
    'widgetRequest',
    'widgetKey',
    'webhook',
    'source',
    'sourceRun',
    'delivery',
    'token',
    'provider',
    'canary',
  ],
  'organization',
] as const;
export type Kind = (typeof kinds)[number];

/** Makes words that each occur in one row of the world, so that an answer with such a word shows its row. */
export function canarySource(): () => string {
  let count = 0;
  return () => {
    count += 1;
    const digits = String(count).padStart(6, '0');
    return `kanari${digits.replaceAll(/\d/g, (digit) => 'bcdfghjklm'.charAt(Number(digit)))}`;
  };
}

/** Adds rows to one organization, and remembers what a request can name. */
export class WorldBuilder {
  organizationId = 0;
  appId = 0;
  secondAppId = 0;
  readonly host: string;
  readonly secondHost: string;
  readonly things = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Record<
    Kind,
    (string | number)[]
  >;
  readonly secrets: string[] = [];

  constructor(
    readonly app: App,
    readonly name: string,
    private readonly newCanary: () => string,
  ) {
    this.host = `docs.${name}.example`;
    this.secondHost = `shop.${name}.example`;
  }

  get operator() {
    return { kind: 'operator' as const, organizationId: this.organizationId };
  }

  /** Adds the organization, two apps with their domains, and an empty app. */
  async addOrganization(): Promise<void> {
    const { id } = await createOrganization(this.app, { name: `${this.name} ${this.canary()}` });
    this.organizationId = id;
    this.remember('organization', id);
    this.appId = await this.addApp(this.host, `*.wild.${this.name}.example`);
    this.secondAppId = await this.addApp(this.secondHost);
    await this.addApp();
    this.remember('domain', this.host, this.secondHost, `deep.wild.${this.name}.example`);
    for (const path of ['', '/', '/invoices/7', '/docs/a/b?x=1#y', '/view'])
      this.remember('url', `https://${this.host}${path}`);
    this.remember('url', `http://${this.secondHost}:8080/docs`);
    this.remember('url', `https://DEEP.wild.${this.name}.example/docs`);
  }

  canary(): string {
    const word = this.newCanary();
    this.remember('canary', word);
    return word;
  }

  remember(kind: Kind, ...things: (string | number)[]): void {
    this.things[kind].push(...things);
  }

  now(offsetMs = 0): string {
    return new Date(this.app.clock.now().getTime() + offsetMs).toISOString();
  }

  uuid(): string {
    return randomUUID();
  }

  hash(text: string): string {
    return createHash('sha256').update(text).digest('hex');
  }

  /** Adds a row to a table whose ids are numbers. Returns its id. */
  async add(table: string, row: Record<string, unknown>, updated = true): Promise<number> {
    const times = { created_at: this.now(), ...(updated ? { updated_at: this.now() } : {}) };
    return insertRow(this.app.db.write, table, { ...times, ...row });
  }

  /** Adds a row that contains its own id. */
  async addNamed(table: string, row: Record<string, unknown>): Promise<void> {
    await this.app.db.write(table).insert(row);
  }

  private async addApp(...hosts: string[]): Promise<number> {
    const { id } = await createApp(this.app, this.operator, { name: `app ${this.canary()}` });
    this.remember('app', id);
    for (const host of hosts) {
      const { domain } = await claimDomain(this.app, this.operator, { host, appId: id });
      this.remember('domainId', domain.id);
    }
    return id;
  }
}
