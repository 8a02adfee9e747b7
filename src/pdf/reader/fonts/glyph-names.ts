import { unpackNames, dingbatsGlyphNames } from './encodings.js';
import { otherGlyphNames } from './glyph-names-other.js';
import { characterOf, fromUtf16, sensibleText } from './sensible-text.js';

/** Small capitals and raised or lowered letters with names of their own, e.g. Asmall. */
const styledName = /^(.+?)(small|oldstyle|superior|inferior|fitted)$/;
/** Parts and sizes of TeX's brackets and signs, e.g. parenleftBigg, summationdisplay. */
const sizedName = /^(.+?)(?:bigg|Bigg|big|Big|display|text|wider|widest|wide)$/;
/** Longer names are not glyph names. */
const maxLength = 200;

function characters(packed: string): Map<string, string> {
  const table = new Map<string, string>();
  for (const [point, names] of unpackNames(packed)) {
    for (const name of names) table.set(name, String.fromCodePoint(point));
  }
  return table;
}

let list: Map<string, string> | undefined;
let dingbats: Map<string, string> | undefined;

function listed(name: string): string | undefined {
  list ??= new Map([...characters(latinGlyphNames), ...characters(otherGlyphNames)]);
  return list.get(name);
}

/** Characters by number: uni20AC, uni00660069, u1F600. */
function byNumber(name: string): string | undefined {
  const units = /^uni((?:[0-9A-F]{4})+)$/.exec(name)?.[1];
  if (units !== undefined) {
    return sensibleText(fromUtf16(Buffer.from(units, 'hex').toString('latin1')));
  }
  const point = /^u([0-9A-F]{4,6})$/.exec(name)?.[1];
  return point === undefined ? undefined : characterOf(parseInt(point, 16));
}

function ofComponent(name: string): string {
  const known = listed(name) ?? byNumber(name);
  if (known !== undefined) return known;
  const styled = styledName.exec(name);
  if (styled?.[1] !== undefined) {
    const plain = listed(styled[1]) ?? '';
    return styled[2] === 'small' ? plain.toLowerCase() : plain;
  }
  const sized = sizedName.exec(name)?.[1];
  return (sized === undefined ? undefined : listed(sized)) ?? '';
}

/**
 * The text of a glyph name by the Adobe Glyph List and its rules: `f_f_i` is three letters, and text after a dot names
 * a variant. Empty for names without a meaning (g12, C65, .notdef).
 */
export function textOfGlyphName(name: string): string {
  const known = listed(name);
  if (known !== undefined) return known;
  if (name.length > maxLength) return '';
  const bare = name.split('.', 1)[0] ?? '';
  return bare.split('_').map(ofComponent).join('');
}

/** The text of a ZapfDingbats name (a1 to a206). */
export function textOfDingbat(name: string): string {
  dingbats ??= characters(dingbatsGlyphNames);
  return dingbats.get(name) ?? textOfGlyphName(name);
}

// From the Adobe Glyph List, with names of TeX's fonts added.
//
// Copyright 2002-2019 Adobe (http://www.adobe.com/).
//
// Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
// following conditions are met:
//
// Redistributions of source code must retain the above copyright notice, this list of conditions and the following
// disclaimer.
//
// Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
// disclaimer in the documentation and/or other materials provided with the distribution.
//
// Neither the name of Adobe nor the names of its contributors may be used to endorse or promote products derived from
// this software without specific prior written permission.
//
// THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,
// INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
// DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
// SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
// SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,
// WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
// OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

// Names in the order of their characters: `0041:A` sets the character, further names count up from it, and `=` stands
// between names of one character.

/** Glyph names of Latin letters, punctuation and ligatures, packed. */
const latinGlyphNames = `
0020:space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright
asterisk plus comma=commaaccent hyphen period slash zero one=onefitted two three four five six
seven eight nine colon semicolon less equal greater question at A B C D E F G H I J K L M N O P Q
R S T U V W X Y Z bracketleft backslash bracketright asciicircum underscore Grave=grave a b c d e
f g h i j k l m n o p q r s t u v w x y z braceleft bar=verticalbar braceright asciitilde
00A0:nbspace=nonbreakingspace exclamdown cent sterling currency yen brokenbar section
Dieresis=dieresis circlecopyrt=copyright=copyrightsans=copyrightserif ordfeminine guillemotleft
logicalnot sfthyphen=softhyphen registered=registersans=registerserif Macron=macron=overscore
degree plusminus twosuperior threesuperior Acute=acute mu=mu1 paragraph middot=periodcentered
cedilla onesuperior ordmasculine guillemotright onequarter onehalf threequarters questiondown
Agrave Aacute Acircumflex Atilde Adieresis Aring AE Ccedilla Egrave Eacute Ecircumflex Edieresis
Igrave Iacute Icircumflex Idieresis Eth Ntilde Ograve Oacute Ocircumflex Otilde Odieresis multiply
Oslash Ugrave Uacute Ucircumflex Udieresis Yacute Thorn germandbls agrave aacute acircumflex
atilde adieresis aring ae ccedilla egrave eacute ecircumflex edieresis igrave iacute icircumflex
idieresis eth ntilde ograve oacute ocircumflex otilde odieresis divide oslash ugrave uacute
ucircumflex udieresis yacute thorn ydieresis Amacron amacron Abreve abreve Aogonek aogonek Cacute
cacute Ccircumflex ccircumflex Cdot=Cdotaccent cdot=cdotaccent Ccaron ccaron Dcaron dcaron
Dcroat=Dslash dcroat=dmacron Emacron emacron Ebreve ebreve Edot=Edotaccent edot=edotaccent Eogonek
eogonek Ecaron ecaron Gcircumflex gcircumflex Gbreve gbreve Gdot=Gdotaccent gdot=gdotaccent
Gcedilla=Gcommaaccent gcedilla=gcommaaccent Hcircumflex hcircumflex Hbar hbar Itilde itilde
Imacron imacron Ibreve ibreve Iogonek iogonek Idot=Idotaccent dotlessi IJ ij Jcircumflex
jcircumflex Kcedilla=Kcommaaccent kcedilla=kcommaaccent kgreenlandic Lacute lacute
Lcedilla=Lcommaaccent lcedilla=lcommaaccent Lcaron lcaron Ldot=Ldotaccent ldot=ldotaccent Lslash
lslash Nacute nacute Ncedilla=Ncommaaccent ncedilla=ncommaaccent Ncaron ncaron
napostrophe=quoterightn Eng eng Omacron omacron Obreve obreve Odblacute=Ohungarumlaut
odblacute=ohungarumlaut OE oe Racute racute Rcedilla=Rcommaaccent rcedilla=rcommaaccent Rcaron
rcaron Sacute sacute Scircumflex scircumflex Scedilla scedilla Scaron scaron Tcedilla=Tcommaaccent
tcedilla=tcommaaccent Tcaron tcaron Tbar tbar Utilde utilde Umacron umacron Ubreve ubreve Uring
uring Udblacute=Uhungarumlaut udblacute=uhungarumlaut Uogonek uogonek Wcircumflex wcircumflex
Ycircumflex ycircumflex Ydieresis Zacute zacute Zdot=Zdotaccent zdot=zdotaccent Zcaron zcaron
longs=slong bstroke Bhook Btopbar btopbar Tonesix tonesix Oopen Chook chook Dafrican Dhook Dtopbar
dtopbar deltaturned Ereversed Schwa Eopen Fhook florin Ghook Gammaafrican hv Iotaafrican Istroke
Khook khook lbar lambdastroke Mturned Nhookleft nlegrightlong Ocenteredtilde Ohorn ohorn Oi oi
Phook phook yr Tonetwo tonetwo Esh eshreversedloop tpalatalhook Thook thook Tretroflexhook Uhorn
uhorn Upsilonafrican Vhook Yhook yhook Zstroke zstroke Ezh Ezhreversed ezhreversed ezhtail
twostroke Tonefive tonefive glottalinvertedstroke wynn clickdental clicklateral clickalveolar
clickretroflex DZcaron Dzcaron dzcaron LJ Lj lj NJ Nj nj Acaron acaron Icaron icaron Ocaron ocaron
Ucaron ucaron Udieresismacron udieresismacron Udieresisacute udieresisacute Udieresiscaron
udieresiscaron Udieresisgrave udieresisgrave eturned Adieresismacron adieresismacron Adotmacron
adotmacron AEmacron aemacron Gstroke gstroke Gcaron gcaron Kcaron kcaron Oogonek oogonek
Oogonekmacron oogonekmacron Ezhcaron ezhcaron jcaron DZ Dz dz Gacute gacute 01FA:Aringacute
aringacute AEacute aeacute Oslashacute=Ostrokeacute oslashacute=ostrokeacute Adblgrave adblgrave
Ainvertedbreve ainvertedbreve Edblgrave edblgrave Einvertedbreve einvertedbreve Idblgrave
idblgrave Iinvertedbreve iinvertedbreve Odblgrave odblgrave Oinvertedbreve oinvertedbreve
Rdblgrave rdblgrave Rinvertedbreve rinvertedbreve Udblgrave udblgrave Uinvertedbreve
uinvertedbreve Scommaaccent scommaaccent 0237:dotlessj 0250:aturned ascript ascriptturned bhook
oopen ccurl dtail dhook ereversed schwa schwahook eopen eopenreversed eopenreversedhook
eopenreversedclosed jdotlessstroke ghook gscript 0263:gammalatinsmall ramshorn hturned hhook
henghook istroke iotalatin 026B:lmiddletilde lbelt lhookretroflex lezh mturned mlonglegturned
mhook nhookleft nhookretroflex 0275:obarred 0277:omegalatinclosed philatin rturned rlonglegturned
rhookturned rlongleg rhook rfishhook rfishhookreversed 0281:Rsmallinverted shook esh
dotlessjstrokehook eshsquatreversed eshcurl tturned tretroflexhook ubar upsilonlatin vhook vturned
wturned yturned 0290:zretroflexhook zcurl ezh ezhcurl glottalstop glottalstopreversed
glottalstopinverted cstretched bilabialclick 029A:eopenclosed Gsmallhook 029D:jcrossedtail kturned
02A0:qhook glottalstopstroke glottalstopstrokereversed dzaltone dezh dzcurl ts tesh tccurl
02B0:hsuperior hhooksuperior jsuperior 02B4:rturnedsuperior rhookturnedsuperior
Rsmallinvertedsuperior wsuperior ysuperior primemod dblprimemod commaturnedmod
afii57929=apostrophemod afii64937=commareversedmod ringhalfright ringhalfleft glottalstopmod
glottalstopreversedmod arrowheadleftmod arrowheadrightmod arrowheadupmod arrowheaddownmod
circumflex Caron=caron verticallinemod firsttonechinese secondtonechinese fourthtonechinese
verticallinelowmod macronlowmod gravelowmod acutelowmod colontriangularmod colontriangularhalfmod
ringhalfrightcentered ringhalfleftcentered uptackmod downtackmod plusmod minusmod breve dotaccent
ring ogonek ilde=tilde Hungarumlaut=hungarumlaut rhotichookmod 02E0:gammasuperior 02E3:xsuperior
glottalstopreversedsuperior tonebarextrahighmod tonebarhighmod tonebarmidmod tonebarlowmod
tonebarextralowmod 0300:gravecmb=gravecomb acutecmb=acutecomb
circumflexcmb=hatwide=hatwider=hatwidest tildecmb=tildecomb macroncmb overlinecmb brevecmb
dotaccentcmb dieresiscmb hookabovecomb=hookcmb ringcmb hungarumlautcmb caroncmb
verticallineabovecmb dblverticallineabovecmb dblgravecmb candrabinducmb breveinvertedcmb
commaturnedabovecmb commaabovecmb commareversedabovecmb commaaboverightcmb gravebelowcmb
acutebelowcmb lefttackbelowcmb righttackbelowcmb leftangleabovecmb horncmb ringhalfleftbelowcmb
uptackbelowcmb downtackbelowcmb plusbelowcmb minusbelowcmb hookpalatalizedbelowcmb
hookretroflexbelowcmb dotbelowcmb=dotbelowcomb dieresisbelowcmb ringbelowcmb 0327:cedillacmb
ogonekcmb verticallinebelowcmb bridgebelowcmb dblarchinvertedbelowcmb caronbelowcmb
circumflexbelowcmb brevebelowcmb breveinvertedbelowcmb tildebelowcmb macronbelowcmb lowlinecmb
dbllowlinecmb tildeoverlaycmb strokeshortoverlaycmb strokelongoverlaycmb solidusshortoverlaycmb
negationslash=soliduslongoverlaycmb ringhalfrightbelowcmb bridgeinvertedbelowcmb squarebelowcmb
seagullbelowcmb xabovecmb tildeverticalcmb dbloverlinecmb gravetonecmb acutetonecmb
perispomenigreekcmb koroniscmb dialytikatonoscmb ypogegrammenigreekcmb 0360:tildedoublecmb
breveinverteddoublecmb 1E00:Aringbelow aringbelow Bdotaccent bdotaccent Bdotbelow bdotbelow
Blinebelow blinebelow Ccedillaacute ccedillaacute Ddotaccent ddotaccent Ddotbelow ddotbelow
Dlinebelow dlinebelow Dcedilla dcedilla Dcircumflexbelow dcircumflexbelow Emacrongrave
emacrongrave Emacronacute emacronacute Ecircumflexbelow ecircumflexbelow Etildebelow etildebelow
Ecedillabreve ecedillabreve Fdotaccent fdotaccent Gmacron gmacron Hdotaccent hdotaccent Hdotbelow
hdotbelow Hdieresis hdieresis Hcedilla hcedilla Hbrevebelow hbrevebelow Itildebelow itildebelow
Idieresisacute idieresisacute Kacute kacute Kdotbelow kdotbelow Klinebelow klinebelow Ldotbelow
ldotbelow Ldotbelowmacron ldotbelowmacron Llinebelow llinebelow Lcircumflexbelow lcircumflexbelow
Macute macute Mdotaccent mdotaccent Mdotbelow mdotbelow Ndotaccent ndotaccent Ndotbelow ndotbelow
Nlinebelow nlinebelow Ncircumflexbelow ncircumflexbelow Otildeacute otildeacute Otildedieresis
otildedieresis Omacrongrave omacrongrave Omacronacute omacronacute Pacute pacute Pdotaccent
pdotaccent Rdotaccent rdotaccent Rdotbelow rdotbelow Rdotbelowmacron rdotbelowmacron Rlinebelow
rlinebelow Sdotaccent sdotaccent Sdotbelow sdotbelow Sacutedotaccent sacutedotaccent
Scarondotaccent scarondotaccent Sdotbelowdotaccent sdotbelowdotaccent Tdotaccent tdotaccent
Tdotbelow tdotbelow Tlinebelow tlinebelow Tcircumflexbelow tcircumflexbelow Udieresisbelow
udieresisbelow Utildebelow utildebelow Ucircumflexbelow ucircumflexbelow Utildeacute utildeacute
Umacrondieresis umacrondieresis Vtilde vtilde Vdotbelow vdotbelow Wgrave wgrave Wacute wacute
Wdieresis wdieresis Wdotaccent wdotaccent Wdotbelow wdotbelow Xdotaccent xdotaccent Xdieresis
xdieresis Ydotaccent ydotaccent Zcircumflex zcircumflex Zdotbelow zdotbelow Zlinebelow zlinebelow
hlinebelow tdieresis wring yring arighthalfring slongdotaccent 1E9E:Germandbls 1EA0:Adotbelow
adotbelow Ahookabove ahookabove Acircumflexacute acircumflexacute Acircumflexgrave
acircumflexgrave Acircumflexhookabove acircumflexhookabove Acircumflextilde acircumflextilde
Acircumflexdotbelow acircumflexdotbelow Abreveacute abreveacute Abrevegrave abrevegrave
Abrevehookabove abrevehookabove Abrevetilde abrevetilde Abrevedotbelow abrevedotbelow Edotbelow
edotbelow Ehookabove ehookabove Etilde etilde Ecircumflexacute ecircumflexacute Ecircumflexgrave
ecircumflexgrave Ecircumflexhookabove ecircumflexhookabove Ecircumflextilde ecircumflextilde
Ecircumflexdotbelow ecircumflexdotbelow Ihookabove ihookabove Idotbelow idotbelow Odotbelow
odotbelow Ohookabove ohookabove Ocircumflexacute ocircumflexacute Ocircumflexgrave
ocircumflexgrave Ocircumflexhookabove ocircumflexhookabove Ocircumflextilde ocircumflextilde
Ocircumflexdotbelow ocircumflexdotbelow Ohornacute ohornacute Ohorngrave ohorngrave Ohornhookabove
ohornhookabove Ohorntilde ohorntilde Ohorndotbelow ohorndotbelow Udotbelow udotbelow Uhookabove
uhookabove Uhornacute uhornacute Uhorngrave uhorngrave Uhornhookabove uhornhookabove Uhorntilde
uhorntilde Uhorndotbelow uhorndotbelow Ygrave ygrave Ydotbelow ydotbelow Yhookabove yhookabove
Ytilde ytilde FB00:ff fi fl ffi ffl
`;
