import { z } from 'zod';
import { Field } from './form.js';

/** A domain as people type or paste it. Of the address of a page, its host name remains. */
export const domainText = z
  .string()
  .trim()
  .max(2000)
  .transform((text) => text.replace(/^https?:\/\//i, '').replace(/[/?#].*$/s, ''));

/** The most domains that a field suggests. */
const mostSuggested = 200;

interface DomainFieldProps {
  of: string;
  label: string;
  hint: string;
  value?: string;
  required?: boolean;
  /** The hosts to suggest. */
  hosts: string[];
}

/** A field for one of the organization's domains, which are suggested. */
export function DomainField({ of, hosts, ...rest }: DomainFieldProps) {
  const list = `${of}-domains`;
  return (
    <>
      <Field of={of} name="domain" list={list} {...rest} />
      <datalist id={list}>
        {hosts.slice(0, mostSuggested).map((host) => (
          <option key={host} value={host} />
        ))}
      </datalist>
    </>
  );
}
