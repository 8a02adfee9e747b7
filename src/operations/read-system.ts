import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { WorkState } from '../platform/long-work.js';
import { examineProxy, type SeenAddress } from './examine-proxy.js';
import { presentCheck } from './doctor.schema.js';
import type { KeptExamination } from './kept-examination.js';
import { requireOperator } from './operators.js';
import { readStatus, type Status } from './read-status.js';
import { examination, readLastExamination } from './start-examination.js';

/** The state of the whole installation, for those who look after it. */
export interface SystemState {
  status: Status;
  /** The signs of a proxy before the server, in the request for this page. */
  proxy: Status['checks'];
  examination: { last: KeptExamination | undefined; work: WorkState | undefined };
}

export async function readSystem(app: App, actor: Actor, seen: SeenAddress): Promise<SystemState> {
  await requireOperator(app, actor);
  const { config, clock, longWork } = app;
  const [status, last] = await Promise.all([
    readStatus(config, clock, { inServer: true }),
    readLastExamination(app, actor),
  ]);
  const proxy = examineProxy(config.server, seen).map(presentCheck);
  return { status, proxy, examination: { last, work: longWork.last(examination) } };
}
