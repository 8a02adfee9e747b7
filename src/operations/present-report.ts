import type { ChatReport, ModelReport } from './check-models.js';

export function presentReport(report: ModelReport) {
  const { use, model, ok, reason } = report;
  if (report.use === 'embedding') {
    return { use, model, ok, reason, total_ms: report.totalMs, dimension: report.dimension };
  }
  return {
    use,
    model,
    ok,
    reason,
    first_token_ms: report.firstTokenMs,
    load_ms: report.loadMs,
    tokens_per_second: report.tokensPerSecond,
    window_tokens: report.windowTokens,
    questions: report.trials.map((trial) => ({
      language: trial.language,
      first_word_ms: trial.firstWordMs,
      words_per_second: trial.wordsPerSecond,
      cites: trial.cites,
      in_language: trial.inLanguage,
    })),
  };
}

export function describeReport(report: ModelReport): string {
  const { model, ok, reason } = report;
  const failed = `failed  ${model}: ${reason ?? ''}`;
  if (!ok && (report.use === 'embedding' || report.trials.length === 0)) return failed;
  if (report.use === 'embedding') {
    return `ok      ${model} (embedding): a vector of ${report.dimension ?? 0} numbers in ${report.totalMs ?? 0} ms`;
  }
  const parts = [
    `first token after ${report.firstTokenMs ?? 0} ms (${report.loadMs ?? 0} ms of it loading)`,
    ...(report.tokensPerSecond === null ? [] : [`${report.tokensPerSecond} tokens/s`]),
    `window ${report.windowTokens ?? 0} tokens`,
  ];
  const figures = parts.join(', ');
  const first = ok ? `ok      ${model} (chat): ${figures}` : `${failed}\n        ${figures}`;
  return [first, ...describeTrials(report)].join('\n');
}

/** The figures that a person feels, and whether the answers follow the rules of the prompt. */
function describeTrials({ trials }: ChatReport): string[] {
  return trials.map(({ language, firstWordMs, wordsPerSecond, cites, inLanguage }) => {
    const parts = [
      firstWordMs === null ? 'no word' : `first word after ${firstWordMs} ms`,
      ...(wordsPerSecond === null ? [] : [`${wordsPerSecond} words/s`]),
      cites ? 'cites its source' : 'does not cite its source',
      inLanguage ? `answers in ${language}` : `does not answer in ${language}`,
    ];
    return `        ${language}: ${parts.join(', ')}`;
  });
}
