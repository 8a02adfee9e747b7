import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import type { QuestionSet } from './question-sets.js';

/** Per language, the text that others are invented after: the set's passages, and plain texts beside it. */
export function readSamples(folder: string, sets: readonly QuestionSet[]): Map<string, string> {
  return new Map(
    sets.map((set) => {
      const texts = set.passages.map(({ text }) => text);
      return [set.language, [...texts, ...plainTexts(folder, set.language)].join('\n\n')] as const;
    }),
  );
}

/** Text editions of documents in the language, `pdf/truth/<name>.<language>.txt`, where there are any. */
function plainTexts(folder: string, language: string): string[] {
  const truth = join(folder, 'pdf', 'truth');
  if (!existsSync(truth)) return [];
  return globSync(`*.${language}.txt`, { cwd: truth }).map((file) =>
    // Lines are wrapped and indented there.
    readFileSync(join(truth, file), 'utf8').replaceAll(/\n(?!\s*\n)\s*/g, ' '),
  );
}
