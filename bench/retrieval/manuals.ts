import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { measure } from '../../src/evaluation/measures.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { readDrafts, type Draft } from '../documents/drafts.js';
import { unpack, withPackage } from '../documents/fetch-documents.js';
import type { Row } from '../measure.js';
import { trigramsOf, wordsOf } from '../pdf/scores.js';
import { askAll, detailOf, shown, type Judged } from './quality.js';
import { indexSets } from './indexed-sets.js';
import type { QuestionSet } from './question-sets.js';

const run = promisify(execFile);

/** Manuals that their packages have as PDF and as pages of HTML. Pandoc makes Markdown of the pages. */
const manuals = [
  {
    name: 'valgrind',
    package: 'valgrind',
    pdf: 'usr/share/doc/valgrind/valgrind_manual.pdf.gz',
    html: 'usr/share/doc/valgrind/html',
    // The contents of the whole and of its parts, and what the PDF lacks.
    pages: /^(?!index|manual\.|FAQ|QuickStart|tech-docs|dist\.html|licenses)[\w.-]+\.html$/,
  },
  {
    name: 'developers-reference',
    package: 'developers-reference',
    pdf: 'usr/share/developers-reference/developers-reference.pdf',
    html: 'usr/share/developers-reference',
    pages: /^(?!index|search|genindex|developers-reference)[\w-]+\.html$/,
  },
  {
    name: 'debian-faq',
    package: 'debian-faq',
    pdf: 'usr/share/doc/debian/FAQ/debian-faq.en.pdf.gz',
    html: 'usr/share/doc/debian/FAQ',
    pages: /^(?!index)[\w-]+\.en\.html$/,
  },
];
const kinds = ['pdf', 'html', 'markdown'] as const;
const pandocOptions = ['--from', 'html', '--to', 'gfm', '--wrap', 'none'];
/** Between the best and the worst kind. */
const most = 0.01;
/** The share of an answer's words, by three in a row, that a section has to have to hold it. */
const held = 0.7;

const asked = z.object({ manual: z.string(), question: z.string(), answer: z.string() });

/** How well questions on the same manuals are found when these are read as PDF, HTML and Markdown. */
export async function measureManuals(): Promise<Judged> {
  const judged: Judged = { measures: [], missed: [], details: [] };
  const rows: Row[] = [];
  const found = new Map<string, Awaited<ReturnType<typeof askAll>>>();
  const folder = await mkdtemp(join(tmpdir(), 'manuals-'));
  try {
    for (const manual of manuals) {
      await prepare(manual, folder);
      for (const kind of kinds) {
        const drafts = await readDrafts([join(folder, manual.name, kind)]);
        const set = await questionsOn(manual.name, drafts);
        const index = await indexSets([set]);
        try {
          const results = await askAll(index, set.questions, { answer: false });
          found.set(kind, [...(found.get(kind) ?? []), ...results]);
          const unread = set.questions.filter(({ passageId }) => passageId === '').length;
          rows.push({ ...rowOf(manual.name, kind, results), sections: drafts.length, unread });
          judged.details.push(
            ...results.map((result) => detailOf('manuals', `${manual.name} ${kind}`, result)),
          );
        } finally {
          await index.close();
        }
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  for (const [kind, results] of found) rows.push(rowOf('all', kind, results));
  for (const key of ['recall1', 'recall5'] as const) {
    const values = [...found.values()].map((results) => measure(results)[key] ?? 0);
    const apart = Math.max(...values) - Math.min(...values);
    if (apart > most) {
      judged.missed.push(`manuals: ${key} of the kinds is ${shown(apart)} apart, wanted ${most}`);
    }
  }
  judged.measures.push({
    name: 'manuals',
    about: `questions on the same manuals as PDF, HTML and Markdown, found where the section is that holds the answer's sentence; "unread": no section holds it; bar: kinds at most ${most} apart`,
    rows,
  });
  return judged;
}

async function prepare(manual: (typeof manuals)[number], folder: string): Promise<void> {
  const place = (kind: string) => join(folder, manual.name, kind);
  for (const kind of kinds) await mkdir(place(kind), { recursive: true });
  await withPackage(manual.package, 'binary', async (content) => {
    await writeFile(
      join(place('pdf'), `${manual.name}.pdf`),
      await unpack(join(content, manual.pdf)),
    );
    const names = await readdir(join(content, manual.html));
    for (const name of names.filter((each) => manual.pages.test(each))) {
      const page = join(content, manual.html, name);
      await copyFile(page, join(place('html'), name));
      const output = join(place('markdown'), `${basename(name, '.html')}.md`);
      const options = [...pandocOptions, '--output', output, page];
      await run('pandoc', options).catch((error: unknown) => {
        throw new Error('pandoc is missing or failed. Install the package pandoc.', {
          cause: error,
        });
      });
    }
  });
}

/** The sections as passages, and the questions, each on the section that holds most of its answer's sentence. */
async function questionsOn(manual: string, drafts: readonly Draft[]): Promise<QuestionSet> {
  const path = join(packageRoot(), 'bench', 'retrieval', 'manuals', 'questions.jsonl');
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  const own = lines.map((line) => asked.parse(JSON.parse(line))).filter((q) => q.manual === manual);
  const passages = drafts.map(({ content, title }, at) => ({ id: `${at}`, title, text: content }));
  const words = passages.map(
    ({ text, title }) => new Set(trigramsOf(wordsOf(`${title}\n${text}`))),
  );
  const questions = own.map(({ answer, question }, at) => {
    const wanted = trigramsOf(wordsOf(answer));
    const shares = words.map(
      (has) => wanted.filter((each) => has.has(each)).length / wanted.length,
    );
    const best = Math.max(...shares);
    const passageId = best < held ? '' : `${shares.indexOf(best)}`;
    return { id: `${at}`, question, answers: [answer], passageId };
  });
  return { language: 'en', passages, questions };
}

function rowOf(manual: string, kind: string, results: Awaited<ReturnType<typeof askAll>>): Row {
  const { mrr10, questions, recall1, recall5 } = measure(results);
  return {
    manual,
    kind,
    questions,
    'recall@1': shown(recall1),
    'recall@5': shown(recall5),
    'MRR@10': shown(mrr10),
  };
}
