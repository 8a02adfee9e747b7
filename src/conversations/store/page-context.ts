import { z } from 'zod';
import { spokenLanguages } from '../../language/language-pack.js';
import type { AskedPage } from '../../answers/question-context.js';

const text = (most: number) => z.string().max(most);

const fieldContext = z.object({
  name: text(200),
  type: text(50).describe('As the input element has it: text, email, select …'),
  label: text(500).optional(),
  placeholder: text(500).optional(),
  required: z.boolean().optional(),
  options: z.array(text(200)).max(200).optional().describe('What a select offers.'),
  value: text(2000).optional().describe('Leave it out unless the answer depends on it.'),
});

const formContext = z.object({
  id: text(200).optional(),
  action: text(2000).optional(),
  method: text(20).optional(),
  fields: z.array(fieldContext).max(200),
});

/** The page of a question as a client describes it. All of it is untrusted. */
export const pageContext = z.object({
  url: z.string().min(1).max(4096).describe('The full address of the page.'),
  title: text(1000),
  forms: z.array(formContext).max(50).optional(),
  selectedText: text(8000).optional().describe('What the user has marked on the page.'),
  pageStructure: z
    .object({ headings: z.array(text(500)).max(200), navigation: z.array(text(500)).max(200) })
    .optional(),
  language: z
    .enum(spokenLanguages)
    .optional()
    .describe('Of what shows the answer: for a question whose own words tell no language.'),
});

/** The parts of the page that an answer may use. */
export function askedPage(context: z.output<typeof pageContext>): AskedPage {
  const { url, title, selectedText, pageStructure, language } = context;
  return { url, title, selectedText, headings: pageStructure?.headings, language };
}
