import type { Knex } from 'knex';

/** Of the process that makes an answer, only how long its claim holds is read. */
export async function slimClaims(trx: Knex): Promise<void> {
  for (const column of ['holder', 'cancel_requested_at', 'watched_at', 'events', 'asked_by']) {
    await trx.raw('alter table running_answers drop column ??', [column]);
  }
}
