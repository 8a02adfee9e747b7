import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findUserOf } from '../accounts/users/accounts.repository.js';
import { recordChange } from '../audit/record-change.js';
import {
  may,
  requirePermission,
  type Actor,
  type Member,
  type Visibility,
} from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { inTransaction, unlessTaken } from '../platform/db/in-transaction.js';
import { AppError, type Reason, refusedField } from '../platform/errors.js';
import { mayBePublic } from '../platform/http/public-address.js';
import { faultOfSource } from '../ingestion/upload/identity.js';
import { chooseApp } from '../tenancy/choose-app.js';
import { findDomainOf } from '../tenancy/find-site.js';
import { startAddress } from './site/visit-page.js';
import { forgetVersions } from './source-pages.repository.js';
import { getBareSource, getSource, isRunning } from './read-sources.js';
import { noOptions, type Policy, type Source, type SourceOptions, sources } from './source.js';
import { findLastRuns } from './sources.repository.js';
import { factsOfSource, type SourceWithRun } from './sources.schema.js';

/** The fields of a source that people set. */
export interface SourceFields extends Partial<SourceOptions> {
  name?: string | undefined;
  policy?: Policy | undefined;
  visibility?: Visibility | null | undefined;
  everyMinutes?: number | null | undefined;
  /** The number of the user who gets reports by mail. */
  reportTo?: number | null | undefined;
  /** The address of a website. */
  address?: string | undefined;
  /** The path of a folder, for the operator only: a server's files belong to whoever runs it. */
  folder?: string | undefined;
}

type Given = { [K in keyof SourceFields]?: SourceFields[K] | undefined };

/**
 * Creates a source. Its first run is due at once if it has an interval. A website whose host is registered gets that as
 * its domain. Errors: `invalid_request` for a name or a place
 * that can't be used; `forbidden` for a folder, unless the operator adds it; `conflict` for a name that is taken; those of
 * chooseApp.
 */
export async function createSource(
  app: App,
  actor: Actor,
  input: Given & { name: string; appId?: number | undefined; domain?: string | undefined },
): Promise<SourceWithRun> {
  const member = requirePermission(actor, 'knowledge.write');
  const { organizationId } = member;
  const { kind, place } = await checkPlace(app, actor, input);
  const domain = input.domain ?? (await ownDomain(app, member, { ...input, kind, place }));
  const chosen = await chooseApp(app, member, { appId: input.appId, domain });
  const everyMinutes = input.everyMinutes ?? null;
  const reportTo = await checkReportTo(app, actor, input.reportTo, null);
  const made = await inTransaction(app, async (app) => {
    const source = await unlessTaken(app, taken(input.name), () =>
      sources.insert(app, {
        organizationId,
        appId: chosen.app.id,
        domain: chosen.domain,
        name: checkName(input.name),
        kind,
        place,
        options: optionsOf(app, kind, input, noOptions),
        visibility: input.visibility ?? null,
        policy: input.policy ?? 'review',
        everyMinutes,
        reportTo,
        nextRunAt: everyMinutes === null ? null : timestamp(app.clock),
        leaseToken: null,
        leaseExpiresAt: null,
      }),
    );
    await record(app, actor, 'create', undefined, source);
    return source;
  });
  app.jobs.wake();
  return getSource(app, actor, made.id);
}

/**
 * Changes a source. Documents that were read under its name keep that name, so it can't be changed once there are runs.
 * A place of the other kind is refused. Errors: those of createSource, and `not_found`.
 */
export async function updateSource(
  app: App,
  actor: Actor,
  id: number,
  input: Given,
): Promise<SourceWithRun> {
  const before = await getBareSource(app, actor, id);
  if (before.kind === 'folder' && actor.kind !== 'operator') {
    // Patterns and a policy decide which files of the machine others can read.
    const sentence = `${before.name} is a folder of the server. Only its operator changes it, on the command line.`;
    throw new AppError('conflict', sentence);
  }
  const isMoved = input.address !== undefined || input.folder !== undefined;
  const found = isMoved ? await checkPlace(app, actor, input) : before;
  if (found.kind !== before.kind) {
    const sentence = `${before.name} is a ${before.kind}, and stays one. Create another source for ${found.place}.`;
    throw new AppError('conflict', sentence);
  }
  const name = input.name === undefined ? before.name : checkName(input.name);
  const everyMinutes = input.everyMinutes === undefined ? before.everyMinutes : input.everyMinutes;
  const reportTo = await checkReportTo(app, actor, input.reportTo, before.reportTo);
  const options = optionsOf(app, before.kind, input, before.options);
  await inTransaction(app, async (app) => {
    if (name !== before.name && (await findLastRuns(app, [id])).size > 0) {
      const sentence = `${before.name} has been read: its documents have its name, so it can’t be renamed.`;
      throw new AppError('conflict', sentence);
    }
    await unlessTaken(app, taken(name), () =>
      sources.change(app, id, {
        name,
        place: found.place,
        options,
        visibility: input.visibility === undefined ? before.visibility : input.visibility,
        policy: input.policy ?? before.policy,
        everyMinutes,
        reportTo,
        ...(everyMinutes === before.everyMinutes
          ? undefined
          : { nextRunAt: everyMinutes === null ? null : timestamp(app.clock) }),
      }),
    );
    const isSame = JSON.stringify(options) === JSON.stringify(before.options);
    if (!isSame || found.place !== before.place) await forgetVersions(app, id);
    await record(app, actor, 'update', before, await getBareSource(app, actor, id));
  });
  app.jobs.wake();
  return getSource(app, actor, id);
}

/** Deletes a source with its runs. What was read of it stays. Errors: `not_found`. */
export async function deleteSource(app: App, actor: Actor, id: number): Promise<void> {
  await inTransaction(app, async (app) => {
    const source = await getBareSource(app, actor, id);
    await sources.delete(app, id);
    await record(app, actor, 'delete', source, undefined);
  });
}

/** Makes a source due now, for the next server that is free. Errors: `not_found`; `conflict` while it runs. */
export async function requestRun(app: App, actor: Actor, id: number): Promise<SourceWithRun> {
  await inTransaction(app, async (app) => {
    const source = await getBareSource(app, actor, id);
    if (isRunning(app, source)) {
      throw new AppError('conflict', `${source.name} is being read just now.`, {
        reason: { is: 'source_running', name: source.name },
      });
    }
    await sources.change(app, id, { nextRunAt: timestamp(app.clock) });
    const { organizationId } = source;
    await recordChange(app, actor, {
      organizationId,
      action: 'source.request_run',
      subject: `source:${id}`,
    });
  });
  app.jobs.wake();
  return getSource(app, actor, id);
}

/** The host of a website that an app of the organization has registered: its entries then show on its own pages. */
async function ownDomain(
  app: App,
  { organizationId }: Member,
  { kind, place, appId }: Pick<Source, 'kind' | 'place'> & { appId?: number | undefined },
): Promise<string | undefined> {
  if (kind === 'folder') return undefined;
  const { hostname } = new URL(place);
  const claim = await findDomainOf(app, hostname);
  const isOwn = claim?.organizationId === organizationId;
  return isOwn && (appId === undefined || claim.appId === appId) ? hostname : undefined;
}

/** Whoever has a report gets the names of pages and the way to their drafts. */
async function checkReportTo(
  app: App,
  actor: Actor,
  userId: number | null | undefined,
  before: number | null,
): Promise<number | null> {
  if (userId === undefined) return before;
  if (userId === null || userId === before) return userId;
  const { organizationId, ...member } = requirePermission(actor, 'knowledge.write');
  const isOwn = member.kind === 'user' && member.userId === userId;
  const user = await findUserOf(app, organizationId, userId);
  const reader = user && { kind: 'user' as const, organizationId, userId, role: user.role };
  if (reader && (isOwn || may(actor, 'administer')) && may(reader, 'knowledge.write')) {
    return userId;
  }
  const message = 'must be yourself, or for an admin a user who may review drafts';
  throw refusedField('report_to', message);
}

function checkName(name: string): string {
  const fault = faultOfSource(name);
  if (fault === undefined) return name;
  throw refusedField('name', fault, 'invalid_request', { is: 'source_name' });
}

function taken(name: string): readonly [string, Reason] {
  return [`There is a source ${name} already.`, { is: 'source_taken', name }];
}

async function checkPlace(
  { config }: App,
  actor: Actor,
  { address, folder }: Given,
): Promise<Pick<Source, 'kind' | 'place'>> {
  if (folder !== undefined && address === undefined) {
    if (actor.kind !== 'operator') {
      const sentence = 'Only the operator of the server adds folders, on its command line.';
      throw new AppError('forbidden', sentence);
    }
    const place = resolve(folder);
    const found = await stat(place).catch(() => undefined);
    if (found?.isDirectory() === true) return { kind: 'folder', place };
    throw refusedField('folder', `there is no folder ${place} on this machine`);
  }
  if (address === undefined || folder !== undefined) {
    throw new AppError('invalid_request', 'A source is either a website or a folder: name one.');
  }
  const url = startAddress(address);
  if (url === undefined) {
    const example = 'must be an http(s) address, e.g. https://docs.example.com/guide/';
    throw refusedField('address', example, 'invalid_request', { is: 'source_address' });
  }
  if (!config.sources.allow_private && !mayBePublic(url)) {
    const message =
      'must be on the public internet, unless the operator sets sources.allow_private';
    throw refusedField('address', message, 'invalid_request', { is: 'source_private' });
  }
  return { kind: 'site', place: url.href };
}

const ofWebsites = ['depth', 'mostPages', 'requestsPerSecond', 'render'] as const;

function optionsOf(
  { config }: App,
  kind: Source['kind'],
  input: Given,
  before: SourceOptions,
): SourceOptions {
  if (input.render === true && !before.render && config.sources.browser === '') {
    const message = 'needs the browser that the operator names in sources.browser';
    throw refusedField('render', message, 'invalid_request', { is: 'source_browser' });
  }
  const idle = ofWebsites.filter((key) => ![undefined, null, false].includes(input[key] as null));
  if (kind === 'folder' && idle.length > 0) {
    const sentence =
      'Limits of depth, pages and requests, and scripts, are for websites. Leave them out for a folder.';
    throw new AppError('invalid_request', sentence);
  }
  const given = <K extends keyof SourceOptions>(key: K): SourceOptions[K] =>
    (input[key] === undefined ? before[key] : input[key]) as SourceOptions[K];
  return {
    include: given('include'),
    exclude: given('exclude'),
    depth: given('depth'),
    mostPages: given('mostPages'),
    requestsPerSecond: given('requestsPerSecond'),
    render: given('render'),
  };
}

async function record(
  app: App,
  actor: Actor,
  verb: string,
  before: Source | undefined,
  after: Source | undefined,
): Promise<void> {
  const source = after ?? before;
  if (source === undefined) return;
  await recordChange(app, actor, {
    organizationId: source.organizationId,
    action: `source.${verb}`,
    subject: `source:${source.id}`,
    before: before && factsOfSource(before),
    after: after && factsOfSource(after),
  });
}
