/** The words that hold sentences together, per language: what tells languages apart, and what searches weigh less. */
export const functionWords = {
  en: words(`a about above after again against all also although always am among an and any are aren as at
    be became because become been before being below between both but by came can cannot come could did didn
    do does doesn doing don done down during each either else ever every few first following for from further
    get given had has hasn have haven having he her here hers herself him himself his how however i if in
    instead into is isn it its itself just know like many may me might more most much must my myself name
    need neither no nor not now of off often on once one only or other our ours out over own per please
    same several shall she should since so some still such than that the their theirs them themselves then
    there these they this those through thus to too two under until up upon us use used using very via was
    wasn we were weren what whatever when where whether which while who whom whose why will with within
    without won would yes yet you your yours yourself`),
  es: words(`a acerca al algo alguna algunas alguno algunos ante antes aquel aquella aquí así aun aunque bajo
    bien cada casi como cómo con contra cosa cual cuál cuales cuáles cualquier cuando cuándo cuanta cuánta
    cuantas cuántas cuanto cuánto cuantos cuántos de debe deben debido debo del desde después dice dicho donde dónde
    dos durante e el él ella ellas ello ellos en encima entonces entre era eran es esa esas ese eso esos esta
    está estaba están estas este esto estos estoy fin fue fueron fui ha había han hace hacen hacer hacia hago
    hasta hay he hizo incluso la las le les lo los luego más me mediante menos mi mis mientras mismo mucha
    muchas mucho muchos muy nada ni ningún ninguna ninguno no nombre nos nosotros nuestra nuestro nunca o os
    otra otras otro otros para parte pero poco podemos por porque primer primera pudo puede pueden puedo pues
    qué que quien quién quienes quiénes quiero se sea según ser será si sí sido sin sino sobre solo sólo son
    soy su sus suya tal también tampoco tan tanto te tener tengo tiene tienen toda todas todo todos tras tres
    tu tú tus un una unas uno unos usa usan usar usted ustedes va van varios vez y ya yo`),
  de: words(`ab aber alle allem allen aller alles als also am an andere anderen anderer anderes anders auch auf
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
    zum zur zwar zwei zwischen`),
} as const satisfies Record<string, ReadonlySet<string>>;

/** What is left of "don't", "it's" and "we've" when words are letters alone. */
const contractions = words('d ll m re s t ve');

/** Whether the word, in lower case, is a function word of a language; of any of the three where none is given. */
export function isFunctionWord(
  word: string,
  language?: keyof typeof functionWords | 'other',
): boolean {
  if (contractions.has(word)) return true;
  if (language !== undefined && language !== 'other') return functionWords[language].has(word);
  const { en, es, de } = functionWords;
  return en.has(word) || es.has(word) || de.has(word);
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
