import { dingbatsNames, symbolNames } from './encodings-symbols.js';
import { unpackEncoding } from './packed-names.js';
import { expertNames } from './program-names.js';

// Glyph names in the order of their codes (ISO 32000-1, annex D): `20:space` says the code, names behind it count on.

const standardNames = `
20:space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright
asterisk plus comma hyphen period slash zero one two three four five six seven eight nine colon
semicolon less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
bracketleft backslash bracketright asciicircum underscore quoteleft a b c d e f g h i j k l m n o
p q r s t u v w x y z braceleft bar braceright asciitilde A1:exclamdown cent sterling fraction yen
florin section currency quotesingle quotedblleft guillemotleft guilsinglleft guilsinglright fi fl
B1:endash dagger daggerdbl periodcentered B6:paragraph bullet quotesinglbase quotedblbase
quotedblright guillemotright ellipsis perthousand BF:questiondown C1:grave acute circumflex tilde
macron breve dotaccent dieresis CA:ring cedilla CD:hungarumlaut ogonek caron emdash E1:AE
E3:ordfeminine E8:Lslash Oslash OE ordmasculine F1:ae F5:dotlessi F8:lslash oslash oe germandbls
`;

const winAnsiNames = `
20:space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright
asterisk plus comma hyphen period slash zero one two three four five six seven eight nine colon
semicolon less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
bracketleft backslash bracketright asciicircum underscore grave a b c d e f g h i j k l m n o p q
r s t u v w x y z braceleft bar braceright asciitilde bullet Euro bullet quotesinglbase florin
quotedblbase ellipsis dagger daggerdbl circumflex perthousand Scaron guilsinglleft OE bullet
Zcaron bullet bullet quoteleft quoteright quotedblleft quotedblright bullet endash emdash tilde
trademark scaron guilsinglright oe bullet zcaron Ydieresis space exclamdown cent sterling currency
yen brokenbar section dieresis copyright ordfeminine guillemotleft logicalnot hyphen registered
macron degree plusminus twosuperior threesuperior acute mu paragraph periodcentered cedilla
onesuperior ordmasculine guillemotright onequarter onehalf threequarters questiondown Agrave
Aacute Acircumflex Atilde Adieresis Aring AE Ccedilla Egrave Eacute Ecircumflex Edieresis Igrave
Iacute Icircumflex Idieresis Eth Ntilde Ograve Oacute Ocircumflex Otilde Odieresis multiply Oslash
Ugrave Uacute Ucircumflex Udieresis Yacute Thorn germandbls agrave aacute acircumflex atilde
adieresis aring ae ccedilla egrave eacute ecircumflex edieresis igrave iacute icircumflex
idieresis eth ntilde ograve oacute ocircumflex otilde odieresis divide oslash ugrave uacute
ucircumflex udieresis yacute thorn ydieresis
`;

const macRomanNames = `
20:space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright
asterisk plus comma hyphen period slash zero one two three four five six seven eight nine colon
semicolon less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
bracketleft backslash bracketright asciicircum underscore grave a b c d e f g h i j k l m n o p q
r s t u v w x y z braceleft bar braceright asciitilde 80:Adieresis Aring Ccedilla Eacute Ntilde
Odieresis Udieresis aacute agrave acircumflex adieresis atilde aring ccedilla eacute egrave
ecircumflex edieresis iacute igrave icircumflex idieresis ntilde oacute ograve ocircumflex
odieresis otilde uacute ugrave ucircumflex udieresis dagger degree cent sterling section bullet
paragraph germandbls registered copyright trademark acute dieresis notequal AE Oslash infinity
plusminus lessequal greaterequal yen mu partialdiff summation product pi integral ordfeminine
ordmasculine Omega ae oslash questiondown exclamdown logicalnot radical florin approxequal Delta
guillemotleft guillemotright ellipsis space Agrave Atilde Otilde OE oe endash emdash quotedblleft
quotedblright quoteleft quoteright divide lozenge ydieresis Ydieresis fraction currency
guilsinglleft guilsinglright fi fl daggerdbl periodcentered quotesinglbase quotedblbase
perthousand Acircumflex Ecircumflex Aacute Edieresis Egrave Iacute Icircumflex Idieresis Igrave
Oacute Ocircumflex apple Ograve Uacute Ucircumflex Ugrave dotlessi circumflex tilde macron breve
dotaccent ring cedilla hungarumlaut ogonek caron
`;

const macExpertNames = `
20:space exclamsmall Hungarumlautsmall centoldstyle dollaroldstyle dollarsuperior ampersandsmall
Acutesmall parenleftsuperior parenrightsuperior twodotenleader onedotenleader comma hyphen period
fraction zerooldstyle oneoldstyle twooldstyle threeoldstyle fouroldstyle fiveoldstyle sixoldstyle
sevenoldstyle eightoldstyle nineoldstyle colon semicolon 3D:threequartersemdash 3F:questionsmall
44:Ethsmall 47:onequarter onehalf threequarters oneeighth threeeighths fiveeighths seveneighths
onethird twothirds 56:ff fi fl ffi ffl parenleftinferior 5D:parenrightinferior Circumflexsmall
hypheninferior Gravesmall Asmall Bsmall Csmall Dsmall Esmall Fsmall Gsmall Hsmall Ismall Jsmall
Ksmall Lsmall Msmall Nsmall Osmall Psmall Qsmall Rsmall Ssmall Tsmall Usmall Vsmall Wsmall Xsmall
Ysmall Zsmall colonmonetary onefitted rupiah Tildesmall 81:asuperior centsuperior 87:Aacutesmall
Agravesmall Acircumflexsmall Adieresissmall Atildesmall Aringsmall Ccedillasmall Eacutesmall
Egravesmall Ecircumflexsmall Edieresissmall Iacutesmall Igravesmall Icircumflexsmall
Idieresissmall Ntildesmall Oacutesmall Ogravesmall Ocircumflexsmall Odieresissmall Otildesmall
Uacutesmall Ugravesmall Ucircumflexsmall Udieresissmall A1:eightsuperior fourinferior
threeinferior sixinferior eightinferior seveninferior Scaronsmall A9:centinferior twoinferior
AC:Dieresissmall AE:Caronsmall osuperior fiveinferior B2:commainferior periodinferior Yacutesmall
B6:dollarinferior B9:Thornsmall BB:nineinferior zeroinferior Zcaronsmall AEsmall Oslashsmall
questiondownsmall oneinferior Lslashsmall C9:Cedillasmall CF:OEsmall figuredash hyphensuperior
D6:exclamdownsmall D8:Ydieresissmall DA:onesuperior twosuperior threesuperior foursuperior
fivesuperior sixsuperior sevensuperior ninesuperior zerosuperior E4:esuperior rsuperior tsuperior
E9:isuperior ssuperior dsuperior F1:lsuperior Ogoneksmall Brevesmall Macronsmall bsuperior
nsuperior msuperior commasuperior periodsuperior Dotaccentsmall Ringsmall
`;

/** From a code to the name of its glyph. */
export type Encoding = ReadonlyMap<number, string>;

const packed = {
  StandardEncoding: standardNames,
  WinAnsiEncoding: winAnsiNames,
  MacRomanEncoding: macRomanNames,
  MacExpertEncoding: macExpertNames,
  Expert: expertNames,
  Symbol: symbolNames,
  ZapfDingbats: dingbatsNames,
} as const;
export type EncodingName = keyof typeof packed;

const unpacked = new Map<EncodingName, Encoding>();

/** An encoding by its name in the PDF, or by that of the standard font whose own it is. */
export function encodingNamed(name: EncodingName): Encoding {
  const known = unpacked.get(name);
  if (known !== undefined) return known;
  const encoding = unpackEncoding(packed[name]);
  unpacked.set(name, encoding);
  return encoding;
}

export function isEncodingName(name: string | undefined): name is EncodingName {
  return name !== undefined && name.endsWith('Encoding') && Object.hasOwn(packed, name);
}
