/** The languages with an analysis of their own. */
export const spokenLanguages = ['en', 'es', 'de'] as const;
export type Spoken = (typeof spokenLanguages)[number];

/** Everything in another language is searched by its plain words. */
export const languages = [...spokenLanguages, 'other'] as const;
export type Language = (typeof languages)[number];

/**
 * What the product knows of one language. A further language is one file with all of this and its line in packs.ts.
 *
 * Word lists are separated by white space. Every other text is a part of a pattern, its alternatives separated by
 * `|`; those of the parts marked "plain" are without accents, in lower case, with ss for ß.
 */
export interface LanguagePack {
  language: Spoken;
  /** In English, as the model is told it. */
  name: string;
  /** All nouns have capitals, so that a capital letter makes no name. */
  capitalizesNouns: boolean;
  /** Words are joined to one, so that fewer of them say as much. */
  joinsWords: boolean;
  /** Its questions quote English names, so that function words of all languages are such in them. */
  quotesEnglish: boolean;
  stem: (word: string) => string;
  /**
   * The word in other spellings: as those mean it who type no accents, or where its stem differs from that of its
   * forms.
   */
  respell?: (word: string) => string[];
  /** Verbs of a text whose parts stand apart from each other. */
  separatedVerbs?: (text: string) => SeparatedVerb[];
  inflection?: Inflection;
  /** What makes a word its opposite, before it: "uninstall"; plain. */
  opposites: string;
  /** The words that hold sentences together: what tells languages apart, and what searches weigh less. */
  functionWords: string;
  /**
   * What people greet, thank and ask for help with: prose that tells a language, but no words that a search weighs
   * less.
   */
  courtesies: string;
  signs: LanguageSigns;
  sentences: {
    /** A dot after these ends no sentence, whatever follows. In lower case, without their last dot. */
    abbreviations: string;
    /** After these it ends none before a number: "Fig. 3", but "The answer is no. Then …". */
    beforeNumbers: string;
    /** The end of a text whose number, with a dot, is an ordinal: "am 3. Oktober". */
    ordinal?: RegExp;
  };
  negation: {
    words: string;
    /** They look like one, and say "also": "not only … but also". */
    notOnly: string;
    /** Where a sentence turns: what is denied on one side is not on the other. */
    turns: string;
  };
  /** Before the last of several things; and before a second question. */
  conjunctions: { listing: string; adding: string };
  /** With their accents. */
  questionWords: string;
  /** How a question says which kind of answer it wants; plain. */
  asked: Record<AnswerKind, string>;
  /** What answers of a kind are told by; plain. */
  told: Record<ToldKind, string>;
  /** A question for how to do otherwise, and what tells it: a setting; plain. */
  change: { asked: string; told: string };
  /** What "Which files can I upload?" asks to do with a thing, and how texts say that one may: words. */
  permitted: { asked: string; told: string };
  /** Verbs for taking something away, and those for making it. */
  contrary: { taking: string; making: string };
  /** Words that ask for a measure (plain), and the values that tell it without naming it. */
  measures: Record<'most' | 'least', Bound> &
    Record<'size' | 'length' | 'weight' | 'price', { asked: string; units: string }> & {
      free: string;
      lengths: string;
      times: string;
    };
  numbers: {
    /** Numbers as words. */
    words: string;
    /** The ends of ordinals and decades: 19th, 10.ª, 1970er. */
    endings: string;
    /** Words before a decade without its century: "los años 80". */
    beforeDecades: string;
  };
  /** By which messages go on with what was said; plain. */
  followUps: {
    /** Words that ask for a side of a subject, and name none: how long it takes, what it costs, what it means. */
    aspects: string;
    /** Words by which a text means what it is about as a whole, and those before one that means that and no other. */
    subjects: string;
    beforeSubjects: string;
    beginnings: string;
    /** Words that stand for something said. */
    pronouns: RegExp[];
    /** Those that are told by their capital letter, or by having none. */
    pronounsAsTyped?: RegExp;
    /** What means one of several things by its place: "the last one". */
    articles: string;
    places: string;
  };
  /**
   * Small talk, a phrase a line: `a/b` is one of the two, `-` nothing, `_` a space. `address` says nothing by itself
   * and may stand beside all of it; after `naming` a name may stand.
   */
  smallTalk: Record<Exclude<SmallTalkKind, 'nothing'> | 'address' | 'naming', string>;
  phrases: Phrases;
}

/** What speaks for a language: its function words, and the letters and endings that its words have. */
export interface LanguageSigns {
  /** Tested on each word in lower case. `strong`: seldom in any of the others; `weak`: frequent here. */
  strong: RegExp;
  weak: RegExp;
  /** Signs that are written in no other language. */
  punctuation?: RegExp;
}

/** A verb whose prefix stands apart from it, in lower case, and what it is as one word. */
export interface SeparatedVerb {
  verb: string;
  prefix: string;
  /** In the forms in which texts have it: hochlade, hochladen, hochzuladen, hochgeladen. */
  joined: string[];
}

/** How words are inflected beyond what the stemmer takes together. */
export interface Inflection {
  /** What is taken off before and behind a word for its root. */
  prefix: RegExp;
  ending: RegExp;
  /** Letters that a root has at least. */
  shortestRoot: number;
  /** What may stand around a root instead. */
  prefixes: readonly string[];
  endings: readonly string[];
  /** What compounds with a noun of the root go on with: Öffn-ung-szeiten. */
  joined: string | undefined;
}

/**
 * What a question wants to hear: a sentence that holds such a thing is more likely the answer. The first that fits
 * decides.
 */
export const answerKinds = [
  'list',
  'frequency',
  'duration',
  'number',
  'time',
  'reason',
  'person',
  'place',
  'way',
  'meaning',
] as const;
export type AnswerKind = (typeof answerKinds)[number];
/** The others are told by names, and lists by how they are written. */
type ToldKind = Exclude<AnswerKind, 'list' | 'person' | 'place'>;

/** What a message does that asks nothing of the knowledge. */
export type SmallTalkKind = 'greeting' | 'thanks' | 'leave' | 'about' | 'assent' | 'nothing';

interface Bound {
  asked: string;
  /** By itself, and before a number alone ("up to date"). */
  told: string;
  beforeNumbers: string;
}

/** What the assistant itself says. */
export interface Phrases {
  notFound: string;
  /** To small talk: greetings, what it is and does, and how to go on. */
  hello: string;
  welcome: string;
  goodbye: string;
  automated: string;
  answers: string;
  /** To yes, no and the like. */
  fine: string;
  /** Where nothing is found for `{asked}`: a name alone, or one of several questions. */
  nothingOn: string;
  wholeQuestion: string;
  first: string;
  further: string;
  /** The model failed before its first word, and in the middle: without a word on where it runs and why. */
  noAnswer: string;
  brokeOff: string;
  /** In the place of an old answer, where its reader may not see all that it was made of. */
  withheld: string;
}
