import type { ConfigSession } from '../platform/cli/cli.js';
import { createProgress } from '../platform/cli/progress.js';
import type { OllamaClient } from '../platform/models/ollama-client.js';
import type { PullProgress } from '../platform/models/pull-model.js';
import { printable } from '../platform/text/printable.js';
import { pullModels, type PulledModel } from './pull-models.js';

/** Pulls models (see pullModels) and shows the progress: a bar on a terminal, else a line for each step. */
export async function showPull(
  { config, out, terminal, interrupted }: ConfigSession,
  client: OllamaClient,
  named: readonly string[],
): Promise<PulledModel[]> {
  const progress = createProgress(terminal, out.json || out.quiet);
  let said = '';
  const onProgress = (model: string, step: PullProgress) => {
    const { status, completed = 0, total = 0 } = step;
    // Shows which part is being fetched, not its progress: a line for each percent would be noise.
    const isNew = said !== `${model} ${status}`;
    said = `${model} ${status}`;
    if (total > 0)
      progress.update(`${model}: ${printable(status)}`, mb(completed), mb(total), 'MB');
    if (out.json && isNew) out.line({ type: 'progress', model, ...step }, '');
    else if (isNew && terminal.stderr.isTTY !== true) out.note(`${model}: ${printable(status)}`);
  };
  return pullModels(config, client, named, {
    onProgress,
    onPulled(outcome) {
      progress.clear();
      const { model, ok, reason } = outcome;
      out.line({ type: 'done', ...outcome }, ok ? `${model} is there.` : '');
      if (!ok) out.note(`${model}: ${reason ?? ''}`);
    },
    signal: interrupted,
  });
}

function mb(bytes: number): number {
  return Math.round(bytes / 1e6);
}
