import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { allOf, type Page, type Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { findNamed, type Wanted } from '../platform/find-named.js';
import { type Source, type SourceRun, sourceRuns, sources } from './source.js';
import { findLastRuns, pageOfRuns, pageOfSources } from './sources.repository.js';
import type { SourceWithRun } from './sources.schema.js';

/** A page of the organization's sources with their last runs, by name. */
export async function listSources(
  app: App,
  actor: Actor,
  page: Page,
): Promise<Paged<SourceWithRun>> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const found = await pageOfSources(app, organizationId, page);
  return { ...found, items: await withRuns(app, found.items) };
}

/** Errors: `not_found`. */
export async function getSource(app: App, actor: Actor, id: number): Promise<SourceWithRun> {
  const [found] = await withRuns(app, [await getBareSource(app, actor, id)]);
  return found as SourceWithRun;
}

/** Finds a source by its number, name, or the beginning of the name. Errors: those of findNamed. */
export async function getSourceNamed(
  app: App,
  actor: Actor,
  name: string,
  { whole }: Wanted = {},
): Promise<SourceWithRun> {
  const among = (await listSources(app, actor, allOf)).items;
  const namesOf = (one: Source) => ({ id: one.id, names: [one.name] });
  return findNamed(name, { thing: 'source', among, namesOf, whole });
}

/** A page of the runs of a source, newest first. Errors: `not_found`. */
export async function listRuns(
  app: App,
  actor: Actor,
  id: number,
  page: Page,
): Promise<Paged<SourceRun>> {
  await getBareSource(app, actor, id);
  return pageOfRuns(app, id, page);
}

/** One run of a source. Errors: `not_found`. */
export async function getRun(app: App, actor: Actor, id: number): Promise<SourceRun> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const found = await sourceRuns.find(app, { id, organizationId });
  if (found === undefined) throw new AppError('not_found', `There is no run ${id}.`);
  return found;
}

/** A source without its runs. Errors: `not_found`. */
export async function getBareSource(app: App, actor: Actor, id: number): Promise<Source> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const found = await sources.find(app, { id, organizationId });
  if (found === undefined) throw new AppError('not_found', `There is no source ${id}.`);
  return found;
}

async function withRuns(app: App, found: readonly Source[]): Promise<SourceWithRun[]> {
  const runs = await findLastRuns(
    app,
    found.map(({ id }) => id),
  );
  return found.map((source) => ({
    ...source,
    lastRun: runs.get(source.id) ?? null,
    isRunning: isRunning(app, source),
  }));
}

/** True while a process reads a source. */
export function isRunning(app: App, { leaseExpiresAt }: Source): boolean {
  return leaseExpiresAt !== null && leaseExpiresAt > timestamp(app.clock);
}
