import { z } from 'zod';
import type { WidgetLanguage } from '../../chat/api-types.js';
import { panelTexts } from '../../chat/texts/panel-texts.js';
import type { TagOptions } from '../../widget/describe-snippet.js';
import { Choice, Field, TextArea } from '../layout/form.js';
import { queryText } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';

const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[^\p{Cc}]*$/u)
    .catch('')
    .default('');

const choice = <const T extends readonly [string, ...string[]]>(values: T, usual: T[number]) =>
  z.enum(values).catch(usual).default(usual);

const themes = ['auto', 'light', 'dark', 'host'] as const;
const positions = ['bottom-right', 'bottom-left'] as const;
const languages = ['auto', ...(Object.keys(panelTexts) as WidgetLanguage[])] as const;

/** How a widget looks, as fields of a form and of an address. What can't be used means the default. */
export const lookFields = {
  title: line(100),
  greeting: line(500),
  suggestions: z
    .string()
    .max(2000)
    .transform((text) => linesOf(text).join('\n'))
    .catch('')
    .default(''),
  theme: choice(themes, 'auto'),
  language: choice(languages, 'auto'),
  position: choice(positions, 'bottom-right'),
  logo: z
    .string()
    .trim()
    .max(500)
    .regex(/^https?:\/\/\S+$/i)
    .catch('')
    .default(''),
};

export type Look = z.output<z.ZodObject<typeof lookFields>>;

export const usualLook: Look = z.object(lookFields).parse({});

/** The attributes that a tag needs for a look: those that differ from the defaults. */
export function tagOptionsOf(look: Look): TagOptions {
  const { suggestions, ...rest } = pickLook(look);
  const usual: Record<string, string> = usualLook;
  const given = Object.entries(rest).filter(([name, value]) => value !== usual[name]);
  return {
    ...Object.fromEntries(given),
    ...(suggestions === '' ? {} : { suggestions: linesOf(suggestions).join('|') }),
  };
}

/** The look as a query, without what is as usual. */
export function lookQuery(look: Look): string {
  const usual: Record<string, string> = usualLook;
  const given = Object.entries(pickLook(look)).filter(([name, value]) => value !== usual[name]);
  return queryText(Object.fromEntries(given));
}

function pickLook({ title, greeting, suggestions, theme, language, position, logo }: Look): Look {
  return { title, greeting, suggestions, theme, language, position, logo };
}

function linesOf(text: string): string[] {
  // In a tag the questions are separated by this sign.
  const lines = text.split(/[\n|]/).map((one) => one.trim());
  return lines.filter((one) => one !== '');
}

/** The fields of a look. `of` is the form's action. */
export function LookFields({ of, look }: { of: string; look: Look }) {
  const { say } = useShown();
  const words = say.sites.look;
  return (
    <>
      <Field
        of={of}
        name="title"
        label={say.labels.title}
        hint={words.headingHint}
        value={look.title}
      />
      <Field of={of} name="greeting" label={words.greeting} value={look.greeting} />
      <TextArea
        of={of}
        name="suggestions"
        label={words.suggestions}
        hint={words.suggestionsHint}
        value={look.suggestions}
        rows={3}
      />
      <div class="columns">
        <Choice
          of={of}
          name="theme"
          label={words.theme}
          value={look.theme}
          options={themes.map((one) => [one, words.themes[one]] as const)}
        />
        <Choice
          of={of}
          name="position"
          label={words.position}
          value={look.position}
          options={positions.map((one) => [one, words.positions[one]] as const)}
        />
        <Choice
          of={of}
          name="language"
          label={say.labels.language}
          value={look.language}
          options={languages.map(
            (one) => [one, one === 'auto' ? words.languageAuto : say.languages[one]] as const,
          )}
        />
      </div>
      <Field of={of} name="logo" label={words.logo} hint={words.logoHint} value={look.logo} />
      <PreviewButton />
    </>
  );
}

/** Opens what the form holds in the frame. A script does so with each change. */
function PreviewButton() {
  const { say, at } = useShown();
  return (
    <button
      formMethod="get"
      formAction={at('/sites/preview')}
      formTarget="preview"
      formNoValidate
      data-show
    >
      {say.sites.look.show}
    </button>
  );
}

/** The frame with the real widget. */
export function Preview({ look }: { look: Look }) {
  const { say, at } = useShown();
  const query = lookQuery(look);
  return (
    <section class="preview" aria-labelledby="preview-title">
      <h2 id="preview-title">{say.sites.preview.title}</h2>
      <iframe
        name="preview"
        title={say.sites.preview.frame}
        src={at(`/sites/preview${query === '' ? '' : `?${query}`}`)}
      />
    </section>
  );
}
