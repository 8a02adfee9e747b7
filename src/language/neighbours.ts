import type { LanguageSigns } from './language-pack.js';

/** Languages that would else be taken for one of the packs'; their function words are separated by white space. */
export const neighbours: readonly (LanguageSigns & { words: string })[] = [
  // French
  {
    words: `à au aux avec avez avons ce ces cette comme comment d dans des du elle elles est et était être
      faire fait faut il ils j je l la le les leur leurs lui mais mes mon même n ne nous où ou par pas plus pour
      pourquoi puis qu quand que quel quelle quelles quels qui s sans sa ses si son sont sous sur ta te tes ton
      tout tous toute un une vos votre vous`,
    strong:
      /[çêëîïôûœ]|è[rtgcmsv]|(?:eau|eaux|eux|euse|ez|ais|ait|aient|oir|oire|ille|ette|ître|eur|eurs|ée|ées|és|er|ement|ique|iques)$|oi|ouv|[^aeiou]re$/,
    weak: /(?:tion|ment|ent|e|es|é|age)$|é|qu|ou|ai|eu/,
  },
  // Italian
  {
    words: `ai al alla alle anche c che chi ci come con cosa d da dal dalla degli dei del dell della delle di
      dove e è era essere fare gli ha hanno i il in io l la le lo loro ma mi nel nella nelle non o per perché più
      posso può qual quale quali quando quanto quanti questa questo se sei si sia sono su sua sul sulla suo tra
      tu un una uno`,
    strong:
      /[àèìòù]|(?:zione|zioni|mente|aggio|aggi|etto|etti|zza|ità|iamo|are|ere|ire|ndo|tto|tti|lla|llo|gli|cci|uto|uti)$|zz|gl[i]|cch|ggi|uo[vnl]|zion|sci|cc[io]/,
    weak: /(?:i|o|a|e|ato|ata|ati|ano|one|oni)$|ch[ei]|gh|tt|ll|zi/,
  },
  // Portuguese
  {
    words: `à a ao aos as às até com como da das de dela dele do dos e é ela ele em entre era essa esse esta
      está este eu foi foram há isso isto já mais mas me meu minha muito na não nas nem no nos o onde os ou para
      pela pelo por porque posso qual quais quando que quem se sem ser seu são sua também tem uma um você vocês`,
    strong:
      /[ãõçâêô]|nh[aeo]|lh[aeo]|(?:ções|ção|agem|ência|ável|ões|inho|ário|eiro|eira|ou|am|em|ir[áã]|ndo|vel)$|eir|ss[aeo]/,
    weak: /(?:os|as|o|a|ar|er|ir|m|ado|ada|dade|mente|es)$|qu[ei]|[áéíóú]|ei|ou/,
  },
  // Catalan
  {
    words: `al amb aquest aquesta com dels d el els en és està fer ha hi i l la les meu meva molt no on per
      perquè però pot puc què quan qui quin quina s se sense ser seu si són també tot un una va vam vaig`,
    strong:
      /[çàèò]|l·l|ny[aes]?$|(?:ció|ment|ig|itza|eix|tge|ts|ues|ències|itat|uix|itzar|xer)$|tx|ix/,
    weak: /(?:a|es|ar|ir|t|r|s|er)$|[íéóú]|qu|ll/,
  },
  // Dutch
  {
    words: `aan als bij dan dat de deze die dit door een en er geen haar heb hebben heeft het hij hoe hun ik
      in is ja je jij kan kunnen maar meer met mijn moet na naar niet nog of om onder ook op over te tot tussen
      uit van veel voor waar waarom wanneer was wat we welke werd wie wij worden wordt ze zich zijn zo zonder`,
    strong:
      /ij|aa|uu|oe[kdt]|ui|sch[aeir]|(?:eren|heid|ing|lijk|lijke|elijk|tje|dt|tie|ties|eer|oor|ond|jk|jn)$|oek|gh|nieuw|eeu|cht|oo[rdn]/,
    weak: /(?:en|er|t|de|el|je|s)$|ee|oo|ie|k|v|z|w/,
  },
  // Polish, Czech
  {
    words: `ale był była być co czy dla do gdzie i jak jaka jakie jaki jako jest kde kto která které který mi
      mogę mój na nie o od po proč przez się są to v ve w we z za ze ze že je jsou`,
    strong:
      /[ąęłńśźżćěřšžčůý]|(?:owy|owa|ować|ego|emu|ych|ość|nia|iem|ami|yjny|ny|ki|sz|ek)$|cz|rz|sz|dz/,
    weak: /(?:y|i|a|e|u|k)$|w|k|z|j/,
  },
  // Danish, Norwegian, Swedish
  {
    words: `af at att av då de den der det där du efter eller en er ett för fra från får har hvad hvem hvor
      hvordan hvorfor hur i ikke inte jag jeg kan med men mig min mit mitt och og om på sig ska skal som till til
      vad var varför vem vi være är`,
    strong:
      /[åøæ]|(?:ende|ning|ningen|erne|erna|arna|het|hed|lig|ligt|ligen|skt|isk|eren|ord|fil|filen|ilen)$|hv|äl|ör|kj|sj|ställ/,
    weak: /(?:r|n|t|en|et|er|ar|or|a|e)$|k|v|sk|d/,
  },
];
