import { z } from 'zod';
import { visibilities } from '../../platform/actor.js';
import { Choice, Field, TextArea } from '../layout/form.js';
import { useShown } from '../layout/shown.js';

const optional = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .transform((given) => given || null);

/** The fields of an entry, as a form sends them. An empty place or tier is null. */
export const entryFields = {
  title: z.string().trim().min(1).max(500),
  content: z.string().trim().min(1).max(500_000),
  domain: optional(255),
  url_pattern: optional(1000),
  visibility: z.enum(visibilities).or(z.literal('').transform(() => null)),
};

export interface EntryValues {
  title: string;
  content: string;
  domain: string | null;
  urlPattern: string | null;
  /** Null for the app's default. */
  visibility: (typeof visibilities)[number] | null;
}

/** The fields of an entry. `of` names the action of their form. */
export function EntryFields({ of, entry }: { of: string; entry: EntryValues }) {
  const { say } = useShown();
  const words = say.knowledge;
  return (
    <>
      <Field
        {...{ of, name: 'title', label: say.labels.title, value: entry.title, required: true }}
      />
      <TextArea
        {...{ of, name: 'content', label: say.labels.text, hint: words.contentHint }}
        {...{ value: entry.content, rows: 18, required: true }}
      />
      <Field
        {...{ of, name: 'domain', label: say.labels.domain, hint: words.domainHint }}
        value={entry.domain ?? ''}
      />
      <Field
        {...{ of, name: 'url_pattern', label: words.pattern, hint: words.patternHint }}
        value={entry.urlPattern ?? ''}
      />
      <Choice
        {...{ of, name: 'visibility', label: say.labels.tier, value: entry.visibility ?? '' }}
        options={[
          ['', say.labels.asSite],
          ...visibilities.map((tier) => [tier, say.tiers[tier]] as const),
        ]}
      />
    </>
  );
}
