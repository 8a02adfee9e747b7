import { z } from 'zod';
import { longestText, longestTitle } from '../../knowledge/entry.js';
import { visibilities } from '../../platform/actor.js';
import { DomainField, domainText } from '../layout/domain-field.js';
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
  title: z.string().trim().min(1).max(longestTitle),
  content: z.string().trim().min(1).max(longestText),
  domain: domainText.pipe(optional(255)),
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

interface EntryFieldsProps {
  /** The action of their form. */
  of: string;
  entry: EntryValues;
  isNew: boolean;
  /** The hosts of the organization's domains. */
  hosts: string[];
}

/** The fields of an entry. */
export function EntryFields({ of, entry, isNew, hosts }: EntryFieldsProps) {
  const { say } = useShown();
  const words = say.knowledge;
  return (
    <>
      <Field of={of} name="title" label={say.labels.title} value={entry.title} required />
      <TextArea
        of={of}
        name="content"
        label={say.labels.text}
        hint={words.contentHint}
        value={entry.content}
        rows={18}
        required
      />
      <DomainField
        of={of}
        hosts={hosts}
        label={say.labels.domain}
        required={isNew}
        hint={isNew ? words.domainHint : words.domainHintOfOld}
        value={entry.domain ?? ''}
      />
      <Field
        of={of}
        name="url_pattern"
        label={words.pattern}
        hint={words.patternHint}
        value={entry.urlPattern ?? ''}
      />
      <Choice
        of={of}
        name="visibility"
        label={say.labels.tier}
        value={entry.visibility ?? ''}
        options={[
          ['', say.labels.asSite],
          ...visibilities.map((tier) => [tier, say.tiers[tier]] as const),
        ]}
      />
    </>
  );
}
