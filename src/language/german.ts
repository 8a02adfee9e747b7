import { stemmer } from '@orama/stemmers/german';
import { allMatches } from '../platform/text/all-matches.js';
import type { LanguagePack, SeparatedVerb } from './language-pack.js';

/** Verb prefixes that can be at the end of a clause: "Wie lade ich eine Datei hoch?" */
const prefixes =
  'ab|an|auf|aus|bei|ein|fest|fort|frei|heraus|herunter|hin|hinzu|hoch|los|mit|nach|statt|teil|um|vor|weg|weiter|wieder|zu|zurück|zusammen';
const subject = String.raw`(?:ich|man|wir|sie|Sie|du|er|es|(?:der|die|das|den|ein|eine)\s+\p{L}+)`;
/** Case-sensitive: "Fort" is a noun. */
const separated = new RegExp(
  String.raw`(?<!\p{L})(\p{L}{3,})\s+${subject}\s[^?.!;\n]{0,80}?(?<!\p{L})(${prefixes})\s*(?:[?.!,;\n]|$)`,
  'gu',
);

/** The separated verbs of a text, in lower case. A verb that takes no prefix gives words that no text contains. */
function separatedVerbsIn(text: string): SeparatedVerb[] {
  return allMatches(text, separated).map(([, found = '', prefix = '']) => {
    const verb = found.toLowerCase();
    const stem = verb.replace(/(?:en|est|et|st|e|t)$/, '');
    const joined = [
      `${prefix}${verb}`,
      `${prefix}${stem}en`,
      `${prefix}${stem}t`,
      `${prefix}zu${stem}en`,
      `${prefix}ge${stem}t`,
      `${prefix}ge${stem}en`,
    ];
    return { verb, prefix, joined };
  });
}

export const german: LanguagePack = {
  language: 'de',
  name: 'German',
  capitalizesNouns: true,
  joinsWords: true,
  quotesEnglish: true,
  stem: stemmer,
  respell: (word) => [
    word
      .replace(/ae/g, 'ä')
      .replace(/oe/g, 'ö')
      .replace(/(?<![aeq])ue/g, 'ü'),
  ],
  endings: 'e en em er ern es s n st t te ten ung ungen',
  separatedVerbs: separatedVerbsIn,
  inflection: {
    prefix: /^ge/,
    ending: /^(?:e?te?[nst]?|e?test|e?n|e?st|end(?:e[nrsm]?)?|ung(?:en)?)$/,
    shortestRoot: 4,
    prefixes: ['', 'ge'],
    endings: ['en', 'n', 't', 'et', 'ung'],
    joined: 'ung',
  },
  opposites: 'un|des|de(?=[aeiou])',
  functionWords: `
    ab aber alle allem allen aller alles als also am an andere anderen anderer anderes anders auch auf
    aus außer bei beim beiden bevor bin bis bist bitte bzw da dabei dadurch dafür dagegen daher dann daran darauf
    daraus darf darin darüber das dass daß davon davor dazu dein deine dem den denen denn der deren des desen
    deshalb dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch dürfen eher ein eine
    einem einen einer eines einige einigen er erst erste ersten es etwa etwas euch euer falls für gab gegen
    gewesen gibt habe haben hast hat hatte hatten heißt hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren
    ihrer ihres im immer in indem innerhalb ins ist ja je jede jedem jeden jeder jedes jedoch jene jetzt kann
    kannst kein keine keinem keinen keiner konnte können könnte lassen läßt lässt machen macht man manche mehr mein
    meine meinem meinen meiner mich mir mit möchte muss müssen musste muß nach nachdem nämlich neben nein nicht
    nichts noch nun nur ob obwohl oder ohne schon sehr sein seine seinem seinen seiner seit selbst sich sie
    sind so sobald sogar solche soll sollen sollte somit sondern sonst statt über um und uns unser unsere unter
    viel viele vielen vom von vor während wann war waren warum was weder wegen weil welche welchem welchen
    welcher welches wem wen wenig weniger wenn wer werde werden wessen wie wieder wieso will wir wird wo wobei
    wodurch wofür woher wohin womit woran worauf woraus worden worin worüber wovon wozu wurde wurden würde zu
    zum zur zwar zwei zwischen
  `,
  courtesies: `
    hallo moin servus guten tag grüß gruss danke dankeschön vielen dank tschüss tschuss tschuess wiedersehen hilfe
  `,
  signs: {
    strong:
      /[äöüß]|sch|cht|(?:ung|ungen|lich|liche|lichen|licher|liches|keit|keiten|heit|heiten|isch|ische|ischen|ieren|iert|ierte|schaft|zeug|stellen|ern|eln|ehen|ahl|eit|itt|acht|ort|atz|ät)$|^(?:ge|ver|zer|ent|auf|aus|ein|zwi|über)(?=.{4})|pf|tz|[aeiou]hl|[aeiou]hn|[aeou]hr|dt|zw|kl[aeiou]|werk|zeit|haupt|ausch|eib|ief|eich/,
    weak: /(?:en|er|te|et|em|es|ig|e|t|n|el|st|ng|k|tag)$|ei|ie|au|k|z|ck|ss|^(?:be|an|ab|er|un|st|vor)|nn|ff|rk|ft|mm/,
  },
  sentences: {
    abbreviations: `abb anm aufl bsp bspw bzgl bzw ca d.h dgl dr engl evtl exkl ggf hr hrsg i.d.r inkl insb m.e max o.ä prof s.o s.u sog st u.a vgl z.b z.t zb zzgl`,
    beforeNumbers: `abs art bd kap min nr s tab tel z`,
    ordinal:
      /(?:^|\s)(?:ab|am|beim|bis|das|dem|den|der|des|die|im|seit|und|vom|zum|zur)\s+\d{1,2}$/i,
  },
  negation: {
    words:
      'nicht|nichts|nie|niemals|niemand(?:em|en)?|kein(?:e[mnrs]?)?|keinesfalls|keineswegs|ohne|weder',
    notOnly: 'nicht (?:nur|bloß|allein)',
    turns: 'aber|sondern',
  },
  conjunctions: { listing: 'und|oder|sowie', adding: 'und' },
  questionWords: 'wie|was|welche[rnsm]?|wer|wem|wen|wann|wo|wohin|woher|warum|wieso',
  asked: {
    list: 'welche (?:[\\w-]+ ){1,3}(?:gibt es|existieren|stehen zur|(?:kann|konnen|darf|durfen) (?:ich|wir|man)\\b)',
    frequency: 'wie (?:oft|haufig)|wie viele male|in welchen abstanden',
    duration: 'wie lange',
    number: [
      'wie (?:viele?|hoch|gross|lang|alt|weit|tief|schnell|breit|schwer)',
      'welche[rns]? (?:prozentsatz|anteil|anzahl|grosse|zahl)',
    ].join('|'),
    time: 'wann|welche[mrsn]? (?:jahr|datum|tag|monat|jahrhundert|jahrzehnt)|wie spat',
    reason: 'warum|weshalb|wieso|weswegen',
    person: 'wer|wem|wen|wessen',
    place: 'wo|wohin|woher',
    way: 'wie (?:kann|konnen|muss|mussen|soll|lasst|\\w+ (?:ich|wir|man))|was (?:kann|konnen|muss|mussen|soll) (?:ich|wir|man) (?:\\w+ ){0,2}(?:tun|machen)|was (?:tun|mache ich|tue ich)',
    meaning:
      'was (?:ist|sind|bedeute[tn]|heisst)|was (?:macht|machen|tut|tun) (?:(?:der|die|das|eine?) )?[\\w-]+(?=\\W*$)',
  },
  told: {
    frequency:
      'mal|(?:ein|zwei|drei|vier|funf)mal|(?:stund|tag|wochent|monat|jahr)lich|immer|nie|selten|manchmal|oft|haufig|regelmassig|jede[nrs]?|alle',
    duration:
      '(?:(?:werk|arbeits|kalender)?tag|sekunde|minute|stunde|nacht|woche|monat|jahr|jahrzehnt|jahrhundert)(?:e|en|n|s|es)?|bis|seit|immer|stets|(?:im jahr|von) \\d{4}',
    number:
      'zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|zwanzig|hundert|tausend|halfte|drittel|keine[rs]|keins|unbegrenzt|beliebig|kostenlos|kostenfrei|\\w+fach(?:e[nrs]?)?',
    time: [
      'januar|februar|marz|mai|juni|juli|oktober|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag',
      '(?:jahrhundert|jahrzehnt|jahr|monat|woche|tag|nacht|stunde|minute)(?:e|en|n|s|es)?',
    ].join('|'),
    reason: 'weil|denn|wegen|aufgrund|damit|daher|deshalb|da|sodass|grund|ursache',
    way: '(?:drucken|klicken|offnen|fuhren|geben|wahlen|verwenden|nutzen|installieren|rufen|starten) sie|befehl',
    meaning: '(?:ist|sind|war|waren) (?:eine?|der|die|das)|bedeutet|bezeichnet|heisst|beschreibt',
  },
  change: {
    asked:
      '\\w*(?:andern|andert|umstellen|anpassen|einstellen|konfigurieren|abschalten|ausschalten|einschalten|erhohen|verlangern|verkurzen|deaktivieren|aktivieren)|andere (?:ich|wir|man)',
    told: 'einstellung(?:en)?|option(?:en)?|andert|andern',
  },
  permitted: {
    asked:
      'hochladen laden senden schicken hinzufügen importieren verwenden benutzen nutzen bezahlen zahlen mitbringen mitnehmen',
    told: 'angenommen akzeptiert erlaubt zugelassen zulässig unterstützt',
  },
  contrary: {
    taking: 'löschen lösche löscht entfernen entferne',
    making: 'anlegen anlegt hinzufügen erstellen erstellt',
  },
  measures: {
    most: {
      asked: '\\p{L}*grenzen?|hochst\\p{L}*|maximal\\p{L}*|grosste[nrs]?|langste[nrs]?',
      told: 'höchstens|nicht (?:mehr|größer|länger) als|maxim(?:al|um)',
      beforeNumbers: 'bis zu',
    },
    least: {
      asked: 'mindest\\p{L}*|kleinste[nrs]?|kurzeste[nrs]?',
      told: 'mindestens|wenigstens|nicht (?:weniger|kürzer|kleiner) als|minim(?:al|um)',
      beforeNumbers: 'ab',
    },
    size: { asked: '\\p{L}*gross(?:e[nrs]?)?', units: 'hektar' },
    length: { asked: 'lange|lang', units: 'zeichen|buchstaben|worter|seiten' },
    weight: { asked: '\\p{L}*gewichte?|wiegt|wiegen', units: 'gramm|kilogramm|tonnen?' },
    price: { asked: '\\p{L}*preise?|kostet|kosten', units: 'pfund|franken|kronen' },
    free: 'kostenlos|kostenfrei',
    lengths: 'zoll',
    times: 'sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?',
  },
  numbers: {
    words: 'eine?[mnrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|hundert|tausend',
    ofHeadings: 'zwei|drei|vier|fünf|sechs|sieben',
    endings: 'er[ns]?',
    beforeDecades: 'die|den|jahren?',
  },
  ofPage: 'dies|diese[mnrs]?|hier|das',
  ofSentenceBefore:
    'er|sie|es|dies|diese|dieser|dieses|diesen|diesem|ihr|ihre|sein|seine|dafür|dabei|dazu|daher|damit|danach|dann|außerdem|auch|jedoch|das (?:ist|gilt|geht|heißt|bedeutet|kann|wird|hat|macht|muss|sind)|hier(?:bei|für|zu|mit|durch)|ebenso|beide|beides|sonst|stattdessen|deshalb|deswegen',
  captions: 'abbildung|abb\\.|tabelle|bild',
  followUps: {
    aspects: `
      dauert dauern lange kostet kosten funktioniert funktionieren geht gehen bedeutet passiert geschieht braucht notig oft
      andern andere umstellen anpassen einstellen konfigurieren abschalten ausschalten einschalten
      erhohen erhohe senken senke verlangern verkurzen grenze wert beheben behebe losen
      lose vermeiden verhindern dagegen danach
      gilt gelten gultig
      sehe sehen finde finden bekomme bekommen
      unterschied unterschiede unterscheidet erklare erklaren zeige zeigen beispiel beispiele genau danke eigentlich heisst mach mache tun
    `,
    subjects: 'produkt|software|program|programm',
    beforeSubjects: 'das|dem|dieses|diesem|die|der|diese|ihr|ihre',
    beginnings: 'und|aber|oder|dann|auch|was ist mit|wie ist es mit|wie sieht es',
    pronouns: [
      /\b(?:dies|diese[mnrs]?|(?<!gibt )es|er|ihn|ihm|dort|damit|dafur|davon|dabei|dazu|daran|darauf|darin|dasselbe|deren|dessen)\b/,
      /\bdas\b(?=\s*(?:[?.!,]|$)|\s+(?:auch|denn|genau|so|dann|noch|bitte|bei|unter|mit|auf|in|im|fur|immer)\b)/,
    ],
    // "Sie" with a capital letter means the reader, and so does "sie" in a request such as "können sie".
    pronounsAsTyped:
      /(?<!(?:können|könnten|würden|wollen|haben|hätten|wissen) )(?<=[\p{L},] )(?:sie|ihnen)(?!\p{L})/u,
    articles: 'der|die|das|den|dem',
    places: 'erste[nrs]?|zweite[nrs]?|dritte[nrs]?|vierte[nrs]?|letzte[nrs]?|andere[nrs]?',
  },
  smallTalk: {
    address: `
      zusammen/alle/allerseits/leute/assistent/liebe/lieber/liebes/welt
      bitte/und/nochmal/noch_einmal/mal/also/dann/erstmal/heute/ihr
    `,
    naming: `
      herr/frau
      ich_bin/ich_heiße/mein_name_ist
    `,
    greeting: `
      hallo/halli_hallo/moin/moin_moin/servus/tach/grüezi/grüß_gott/grüß_dich/grüß_sie/sei_gegrüßt
      guten morgen/tag/abend
      schönen_guten morgen/tag/abend
      wie_gehts/wie_geht_es/wie_geht_s -/dir/ihnen
      jemand_da/ist_jemand_da/ist_da_jemand/sind_sie_da/bist_du_da
    `,
    thanks: `
      danke/danke_schön/dankeschön/danke_sehr/danke_dir/danke_ihnen/tausend_dank/merci -/sehr/nochmals
      vielen/lieben/besten/herzlichen/schönen dank -/auch
      vielen_lieben_dank/vielen_herzlichen_dank
      danke/vielen_dank/besten_dank für die/ihre/deine hilfe/antwort/antworten/auskunft/info/informationen
      super/prima/klasse/toll/perfekt/spitze/großartig/wunderbar/hervorragend/alles_klar/verstanden/sehr_gut
      das hat_geholfen/war_hilfreich/hat_mir_geholfen/war_sehr_hilfreich/ist_alles/wars
      nein_danke
    `,
    assent: `
      ja/ja_bitte/nein/nö/nee/jo/doch/klar/na_klar/vielleicht/stimmt/genau/gut/in_ordnung/einverstanden/weiß_nicht/weiß_ich_nicht/nichts/egal
    `,
    leave: `
      tschüss/tschuess/tschüssi/tschö/tschau/ciao/ade/wiedersehen/auf_wiedersehen/auf_wiederschauen
      bis bald/dann/später/morgen/nachher/zum_nächsten_mal/demnächst
      gute_nacht
      -/einen/ihnen_einen schönen tag/abend/feierabend -/noch
      -/ein schönes wochenende -/noch
    `,
    about: `
      hilfe/hilf_mir/helfen_sie_mir/ich_brauche_hilfe/ich_brauche_ihre_hilfe/ich_benötige_hilfe
      wer/was bist_du/sind_sie -/eigentlich/denn
      wie heißt_du/heißen_sie
      wie_ist dein/ihr name
      bist_du/sind_sie ein/eine bot/roboter/mensch/maschine/ki/echter_mensch/person
      spreche_ich_mit einem/einer bot/roboter/menschen/maschine/ki
      was kannst_du/können_sie -/so/denn/eigentlich/hier -/alles
      was kannst_du/können_sie -/alles für_mich/für_uns/hier tun/machen
      was kannst_du/können_sie -/alles tun/machen/beantworten
      was machst_du/machen_sie/weißt_du/wissen_sie -/so/alles
      wie_funktionierst_du/wofür_bist_du_da/wozu_bist_du_da/wofür_sind_sie_da
      wie/wobei/womit kannst_du/können_sie/könntest_du/könnten_sie -/mir/uns -/weiter helfen
      wie/wobei/womit kannst_du/können_sie -/mir/uns weiterhelfen/behilflich_sein
      kannst_du/können_sie/könntest_du/könnten_sie mir/uns -/bitte/mal helfen/weiterhelfen
      kann/darf/dürfte/könnte ich -/dich/sie/dir/ihnen -/mal/hier etwas/was/eine_frage/ein_paar_fragen fragen/stellen
      kann_ich dich/sie was/etwas fragen
      was_kann/was_darf ich -/dich/sie -/hier -/alles fragen
      welche_fragen kann_ich/kannst_du/können_sie -/dir/ihnen stellen/beantworten
      ich habe/hätte/hab eine/mal_eine/da_eine/noch_eine/ein_paar/einige frage/fragen
      stell_dich_vor/stellen_sie_sich_vor
    `,
  },
  phrases: {
    notFound:
      'Dazu habe ich keine Antwort gefunden. Versuchen Sie es mit anderen Worten, oder fragen Sie einen Menschen.',
    hello: 'Hallo!',
    welcome: 'Gern geschehen!',
    goodbye: 'Auf Wiedersehen!',
    automated: 'Ich bin ein automatischer Assistent.',
    answers: 'Ich antworte aus unseren Unterlagen und nenne Ihnen die Quellen.',
    fine: 'In Ordnung.',
    nothingOn: 'Zu „{asked}“ habe ich nichts gefunden.',
    wholeQuestion: 'Was möchten Sie wissen? Eine ganze Frage hilft mir, die Antwort zu finden.',
    first: 'Was möchten Sie wissen?',
    further: 'Wenn Sie noch eine Frage haben, fragen Sie einfach.',
    noAnswer: 'Der Assistent kann gerade nicht antworten. Fragen Sie in einer Weile noch einmal.',
    brokeOff: 'Die Antwort ist abgebrochen. Fragen Sie noch einmal.',
    withheld:
      'Diese Antwort wird nicht mehr angezeigt: Das Wissen, auf dem sie beruhte, wurde zurückgezogen oder steht Ihnen nicht offen. Fragen Sie noch einmal nach dem, was jetzt bekannt ist.',
  },
};
