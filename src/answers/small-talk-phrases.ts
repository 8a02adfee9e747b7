/** What a message does that asks nothing of the knowledge. */
export type SmallTalkKind = 'greeting' | 'thanks' | 'leave' | 'about' | 'assent' | 'nothing';

/**
 * Small talk in English, Spanish and German, a phrase a line: `a/b` is one of the two, `-` nothing, `_` a space. `address`
 * says nothing by itself and may stand beside all of it; after `naming` a name may stand.
 */
export const smallTalkPhrases: Record<
  Exclude<SmallTalkKind, 'nothing'> | 'address' | 'naming',
  string
> = {
  address: `
    there/all/everyone/everybody/team/assistant/bot/chatbot/friend/friends/sir/madam/mate/dear/world
    again/please/today/oh/ah/well/so/and/then/now/for_now/just
    todos/a_todos/equipo/asistente/amigo/amigos/mundo
    de_nuevo/otra_vez/por_favor/y/pues/bueno/entonces/hoy
    zusammen/alle/allerseits/leute/assistent/liebe/lieber/liebes/welt
    bitte/und/nochmal/noch_einmal/mal/also/dann/erstmal/heute/ihr
  `,
  naming: `
    mr/mrs/ms/dr/herr/frau/señor/señora/don/doña
    my_name_is/im/i_am/this_is
    me_llamo/soy/mi_nombre_es
    ich_bin/ich_heiße/mein_name_ist
  `,
  greeting: `
    hi/hello/hey/heya/hiya/howdy/hullo/greetings/yo
    good morning/afternoon/evening/day
    morning/gm
    how_are/how_r you/u -/doing -/today
    hows_it_going/whats_up/sup/nice_to_meet_you/pleased_to_meet_you
    anyone/anybody/is_anyone/is_anybody/are_you there
    hola/holi/holaa/buenas/saludos
    buenos/muy_buenos días
    buenas/muy_buenas tardes/noches
    buen_día/qué_tal/mucho_gusto/encantado/encantada
    cómo está/estás/están/va/le_va/te_va
    hay_alguien/hay_alguien_ahí
    hallo/halli_hallo/moin/moin_moin/servus/tach/grüezi/grüß_gott/grüß_dich/grüß_sie/sei_gegrüßt
    guten morgen/tag/abend
    schönen_guten morgen/tag/abend
    wie_gehts/wie_geht_es/wie_geht_s -/dir/ihnen
    jemand_da/ist_jemand_da/ist_da_jemand/sind_sie_da/bist_du_da
  `,
  thanks: `
    thanks/thank_you/thankyou/thx/thnx/tnx/tks/ty/tysm/cheers -/so_much/very_much/a_lot/a_bunch
    many_thanks/thanks_again/much_appreciated/i_appreciate_it
    thanks/thank_you/thx for -/the/your/all_your help/answer/answers/info/information/support/time
    great/perfect/awesome/excellent/cool/nice/wonderful/brilliant/amazing
    good/great/nice job/work/answer
    very good/nice/helpful
    well_done/got_it/i_see/understood/all_good/sounds_good
    that helped/was_helpful/was_very_helpful/was_great/is_all
    no thanks/thank_you
    gracias/muchas_gracias/mil_gracias/muchísimas_gracias/gracias_a_ti/gracias_a_usted
    -/muchas gracias por -/la/su/tu/toda_la ayuda/respuesta/información
    genial/perfecto/estupendo/excelente/fantástico/muy_bien/muy_amable/muy_útil
    eso_es_todo/no_gracias/me_ha_ayudado/me_ayudó_mucho
    danke/danke_schön/dankeschön/danke_sehr/danke_dir/danke_ihnen/tausend_dank/merci -/sehr/nochmals
    vielen/lieben/besten/herzlichen/schönen dank -/auch
    vielen_lieben_dank/vielen_herzlichen_dank
    danke/vielen_dank/besten_dank für die/ihre/deine hilfe/antwort/antworten/auskunft/info/informationen
    super/prima/klasse/toll/perfekt/spitze/großartig/wunderbar/hervorragend/alles_klar/verstanden/sehr_gut
    das hat_geholfen/war_hilfreich/hat_mir_geholfen/war_sehr_hilfreich/ist_alles/wars
    nein_danke
  `,
  assent: `
    yes/yeah/yep/yup/yea/no/nope/nah/sure/maybe/perhaps/alright/all_right/hm/hmm/ok/okay/okey/fine
    of_course/not_really/i_dont_know/no_idea/nothing/never_mind/nevermind/yes_please
    sí/no/claro/claro_que_sí/quizás/quizá/tal_vez/vale/de_acuerdo/entendido/no_sé/nada/da_igual/sí_por_favor
    ja/ja_bitte/nein/nö/nee/jo/doch/klar/na_klar/vielleicht/stimmt/genau/gut/in_ordnung/einverstanden/weiß_nicht/weiß_ich_nicht/nichts/egal
  `,
  leave: `
    bye/bye_bye/goodbye/good_bye/cya/farewell/good_night/take_care
    see_you/see_ya -/later/soon/tomorrow/around
    talk_to_you -/later/soon
    have_a nice/good/great/lovely day/evening/weekend/one
    adiós/chao/chau/nos_vemos
    hasta luego/pronto/mañana/la_vista/otra/la_próxima
    que_tenga/que_tengas/que_pase un buen/feliz día/fin_de_semana
    feliz_día/feliz_tarde
    tschüss/tschuess/tschüssi/tschö/tschau/ciao/ade/wiedersehen/auf_wiedersehen/auf_wiederschauen
    bis bald/dann/später/morgen/nachher/zum_nächsten_mal/demnächst
    gute_nacht
    -/einen/ihnen_einen schönen tag/abend/feierabend -/noch
    -/ein schönes wochenende -/noch
  `,
  about: `
    help/help_me/i_need_help/i_need_some_help/i_need_your_help
    who/what are you
    whats_your/what_is_your name
    introduce_yourself/tell_me_about_yourself/what_are_you_for/how_do_you_work
    are_you a/an bot/robot/human/person/real_person/machine/ai
    am_i_talking_to a/an bot/robot/human/person/real_person/machine/ai
    what_can/what_could/what_else_can/what_all_can you do -/for_me/for_us/here
    what_do_you do/know
    what_are_you able_to_do/capable_of
    how/what can/could/may you help -/me/us -/with/today
    can/could/would you help -/me/us
    can_you help_me_with something/a_question
    what_can/what_could/what_may i ask -/you -/about/here
    what -/kind_of/sort_of/types_of questions can_i_ask/can_you_answer -/you
    can/could/may i ask -/you something/a_question/some_questions/a_few_questions
    i have -/got a -/quick/short question
    i have -/some questions
    ayuda/ayúdame/ayúdeme/necesito_ayuda/me_ayuda/me_ayudas
    quién/qué eres/es_usted
    quién_es
    cómo te_llamas/se_llama/se_llama_usted/funcionas/funciona_usted
    cuál_es tu/su nombre
    eres/es_usted -/un/una bot/robot/humano/persona/máquina/ia/persona_real
    qué puedes/puede/sabes/sabe/podrías/podría hacer -/por_mí/por_nosotros/usted/aquí/para_ayudarme
    qué_haces/qué_hace_usted/qué_sabes/qué_más_puedes_hacer/qué_más_puede_hacer/para_qué_sirves/para_qué_sirve_usted
    cómo/en_qué/con_qué me puedes/puede/podrías/podría ayudar -/hoy/usted
    cómo/en_qué/con_qué puedes/puede/podrías/podría ayudarme -/hoy/usted
    me puedes/puede/podrías/podría ayudar -/usted
    puedes/puede/podrías/podría ayudarme -/usted
    puedo preguntarte/preguntarle/preguntar algo/una_cosa
    te/le puedo preguntar algo/una_cosa
    puedo hacerte/hacerle/hacer una_pregunta/unas_preguntas/preguntas
    qué puedo preguntarte/preguntarle/preguntar -/aquí
    qué te/le puedo preguntar
    qué_preguntas puedo_hacer/puedo_hacerte/puedo_hacerle
    tengo una/alguna/unas/algunas pregunta/preguntas/duda/dudas
    quisiera/quiero preguntar/preguntarle/preguntarte algo
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
};
