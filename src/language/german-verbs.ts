import type { SeparatedVerb } from './language-pack.js';

/** Prefixes of German verbs that stand at the end of a clause: "Wie lade ich eine Datei hoch?" */
const prefixes =
  'ab|an|auf|aus|bei|ein|fest|fort|frei|heraus|herunter|hin|hinzu|hoch|los|mit|nach|statt|teil|um|vor|weg|weiter|wieder|zu|zurück|zusammen';
const subject = String.raw`(?:ich|man|wir|sie|Sie|du|er|es|(?:der|die|das|den|ein|eine)\s+\p{L}+)`;
/** As they are typed: "Fort" is a noun. */
const separated = new RegExp(
  String.raw`(?<!\p{L})(\p{L}{3,})\s+${subject}\s[^?.!;\n]{0,80}?(?<!\p{L})(${prefixes})\s*(?:[?.!,;\n]|$)`,
  'gu',
);

/** The separated verbs of a text, in lower case. A verb that takes no prefix gives words that no text holds. */
export function separatedVerbsIn(text: string): SeparatedVerb[] {
  return [...text.matchAll(separated)].map(([, found = '', prefix = '']) => {
    const verb = found.toLowerCase();
    const stem = verb.replace(/(?:en|est|et|st|e|t)$/, '');
    const joined = [
      ...[`${prefix}${verb}`, `${prefix}${stem}en`, `${prefix}${stem}t`],
      ...[`${prefix}zu${stem}en`, `${prefix}ge${stem}t`, `${prefix}ge${stem}en`],
    ];
    return { verb, prefix, joined };
  });
}
