import { useShown } from './shown.js';

interface SecretProps {
  title: string;
  /** Says what it is for, and that it is not shown again. */
  about: string;
  name: string;
  value: string;
  /** The path of the page that it belongs to. */
  back: string;
}

/** The page of a secret that is shown this once. */
export function Secret({ title, about, name, value, back }: SecretProps) {
  const { say, at } = useShown();
  return (
    <section>
      <h1>{title}</h1>
      <p>{about}</p>
      <div class="field">
        <label for="secret">{name}</label>
        <textarea
          id="secret"
          class="secret"
          rows={3}
          readOnly
          autoComplete="off"
          spellcheck={false}
        >
          {`\n${value}`}
        </textarea>
      </div>
      <p>
        <a class="button main" href={at(back)}>
          {say.prove.kept}
        </a>
      </p>
    </section>
  );
}
