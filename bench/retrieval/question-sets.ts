import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../src/platform/package-root.js';

export const languages = ['en', 'es', 'de'] as const;
export type SetLanguage = (typeof languages)[number];

/** A set of passages and of questions that they answer. */
export interface QuestionSet {
  language: SetLanguage;
  passages: Passage[];
  questions: Question[];
}

export interface Passage {
  id: string;
  title: string;
  text: string;
}

export interface Question {
  id: string;
  question: string;
  answers: string[];
  passageId: string;
}

const passage = z.object({ id: z.string(), title: z.string(), text: z.string() });
const question = z
  .object({
    id: z.string(),
    question: z.string(),
    answers: z.array(z.string()),
    passage_id: z.string(),
  })
  .transform(({ passage_id: passageId, ...rest }) => ({ ...rest, passageId }));

/** Where the sets lie: what --data says, else the folder beside the repository. Throws, saying what is missing. */
export function dataFolder(given: string | undefined): string {
  const folder = resolve(given ?? join(packageRoot(), '..', 'shared', 'data'));
  if (existsSync(folder)) return folder;
  throw new Error(
    `There is no folder ${folder}. Give --data <folder>: one with <set>.<language>.passages.jsonl ({id, title, text}) and <set>.<language>.questions.jsonl ({id, question, answers, passage_id}).`,
  );
}

/** The set of this name in some languages. Throws, naming the file, where one is missing or no such set. */
export function readSets(
  folder: string,
  name: string,
  chosen: readonly SetLanguage[],
): QuestionSet[] {
  return chosen.map((language) => ({
    language,
    passages: readLines(join(folder, `${name}.${language}.passages.jsonl`), passage),
    questions: readLines(join(folder, `${name}.${language}.questions.jsonl`), question),
  }));
}

function readLines<S extends z.ZodType>(file: string, schema: S): z.output<S>[] {
  if (!existsSync(file)) throw new Error(`There is no file ${file}: --data and --set say where.`);
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const parsed = schema.safeParse(JSON.parse(line));
    if (parsed.success) return [parsed.data];
    throw new Error(`${file}, line ${index + 1}: ${z.prettifyError(parsed.error)}`);
  });
}

/** The article that a passage is a part of: questions on an article are not answered by the others. */
export function articleOf(passageId: string): string {
  return passageId.replace(/#\d+$/, '');
}
