import type { ComponentChildren } from 'preact';
import { useShown } from '../layout/shown.js';
import { Copied } from './snippet.js';

interface SecretProps {
  title: string;
  secret: string;
  /** The address of the key's page, below /backoffice. */
  next: string;
  /** The widget of a public key works without a secret: the tag comes first. */
  isPublic?: boolean;
  children?: ComponentChildren;
}

/** The only page that ever shows a secret. */
export function Secret({ title, secret, next, isPublic = false, children }: SecretProps) {
  const { say, at } = useShown();
  const words = say.sites.secret;
  return (
    <>
      <h1>{title}</h1>
      {isPublic ? children : <p class="note">{words.about}</p>}
      <h2>{words.label}</h2>
      {isPublic ? <p class="hint">{words.notNeeded}</p> : null}
      <Copied id="secret" text={secret} />
      {isPublic ? null : children}
      <p>
        <a class="button main" href={at(next)}>
          {words.next}
        </a>
      </p>
    </>
  );
}
