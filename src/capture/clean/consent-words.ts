// The words of cookie banners, in the most common languages of the web. They are regular expressions as strings, because
// they are sent into the page, and they do not match past the end of a sentence. A phrase must not be one that a recipe for
// cookies or a news article about privacy uses on a button or in a dialog.

/** Phrases about the use of cookies; one is enough. */
const cookiePhrases = [
  // English
  'us(?:e|es|ed|ing|age)(?: of)?(?: (?:our|own|only|and|or|the|these|some|certain|various|both|essential|necessary|strictly|required|technical|functional|optional|first|third|party|third-party|first-party|tracking|analytics|marketing|performance|session|persistent|browser|http|internet|technologies|like|such|as|local|storage|,))* cookies?\\b',
  'cookies? (?:and|or|&) (?:similar|other|related|comparable|tracking|local|data|privacy|beacons|pixels|your)',
  'cookies? to (?:improve|ensure|personali[sz]e|enhance|analy[sz]e|provide|deliver|understand|remember|track|measure|collect|optimi[sz]e|store|operate|support|tailor|recogni[sz]e|keep|run|function)',
  'cookies? (?:policy|notice|settings?|preferences?|statement|declaration|consent|choices|usage|options|disclaimer)',
  '(?:accept|allow|reject|decline|refuse|manage|essential|necessary|functional|analytics|analytical|marketing|advertising|tracking|third-party|non-essential|optional|browser|our use of|enable|disable) (?:all |our |the |additional |optional )?cookies\\b',
  '(?:sets?|plac\\w+|stor\\w+|sav\\w+)(?: of)?(?: \\w+)? cookies (?:on|in) (?:your|the|a) (?:device|computer|browser|phone)',
  'this (?:web ?)?(?:site|page|shop|app)\\b[^.!?]{0,30}\\bcookies\\b',
  // German
  '(?:verwend|nutz|setz|benutz|einsatz|speicher|gebrauch)\\w*[^.!?]{0,60}\\bcookies?\\b',
  'cookies?[^.!?]{0,50}(?:verwend|nutz|einsetz|setzen|gesetzt|zustimm|einverstanden|ablehn|akzeptier|speicher|zulassen|erlauben)',
  'cookie-?(?:hinweis|einstellung|richtlinie|zustimmung|auswahl|präferenz|nutzung|verwendung|erklärung)',
  // French
  '(?:utilis|recour|dépos|plac|emplo)\\w*[^.!?]{0,60}\\b(?:cookies?|traceurs?)\\b',
  '(?:cookies?|traceurs?)[^.!?]{0,60}(?:utilis|acceptez|accepter|acceptation|refus|consentement|paramètr|mesurer|personnalis|améliorer|dépos)',
  '(?:politique|gestion|paramètres|préférences|utilisation|gérer|accepter|refuser)[^.!?]{0,25}cookies?',
  // Spanish, Portuguese, Italian, Catalan, Romanian
  '(?:utiliz|usamos|usa\\b|uso\\b|empleamos|guardamos|almacen)\\w*[^.!?]{0,50}\\bcookies?\\b',
  'cookies? (?:propias|próprios|propri|para|per|essenciais|necesarias|técnicas|tecnici|de terceros|di terze|e tecnologie|y tecnolog|e tecnolog)',
  '(?:política|configuraci[óo]n|configura[çc]|aceptar|rechazar|aceitar|rejeitar|recusar|accetta|rifiuta|gestisci|impostazioni|preferen[zc]|informativa|acceptă|respinge|politica)[^.!?]{0,30}cookie',
  '(?:utilizza|utilizziamo|usiamo|serve di|avvale di|impiega|folosim|folosește|utilizăm)[^.!?]{0,50}cookie',
  // Dutch, Scandinavian, Finnish
  '(?:gebruik|plaats|maken)\\w*[^.!?]{0,50}\\bcookies?\\b|cookies?[^.!?]{0,40}(?:gebruik|plaatsen|accepteren|weigeren|toestaan|instellingen|beleid|verklaring)',
  '(?:använd|bruger|bruker|anvend|brug af|benytt|lagr|sætter)\\w*[^.!?]{0,40}(?:cookies?|kakor|informasjonskapsler)|(?:cookies?|kakor|informasjonskapsler)[^.!?]{0,40}(?:använd|för att|for at|godkänn|acceptera|tillad|godta|nødvendig|nödvändig|indstilling|inställning)',
  'eväste\\w*',
  // Polish, Czech, Slovak, Hungarian
  '(?:plik\\w*|soubor\\w*|súbor\\w*) (?:typu )?cookies?|ciastecz\\w*|(?:używa|korzysta|wykorzystuj|použív|využív|používa)\\w*[^.!?]{0,40}cookies?',
  'sütik?(?:et|ket|k|nek|ről|kezel)\\w*|sütibeállítás\\w*',
  // Turkish, Greek, Russian, Ukrainian
  'çerez\\w*',
  '(?:χρησιμοποι|χρήση|αποδοχή)\\S*[^.!?]{0,40}cookies?|cookies?[^.!?]{0,40}(?:για να|χρησιμοποι|αποδέχ)',
  '(?:использу|примен|обрабатыва|сохраня|використову|зберіга)\\S*[^.!?]{0,50}(?:cookie|куки)|(?:файл\\S*) (?:cookie|куки)|(?:cookie|куки)[ -]?файл\\S*',
  // Japanese, Chinese, Korean
  '(?:cookie|クッキー)(?:を|の|等|および|ポリシー|设置|設定|政策)|(?:使用|利用|启用|啟用|接受|拒绝|拒絕)[^.!?]{0,12}cookie|cookie[^.!?]{0,12}(?:使用|利用|同意|許可)|쿠키(?:를|을| |사용|정책|설정)',
  // Arabic, Hebrew (where the word also means biscuits), Hindi
  'ملفات (?:تعريف )?(?:الارتباط|الكوكيز|ارتباط)|(?:نستخدم|يستخدم|تستخدم|استخدام)[^.!?؟]{0,40}(?:cookies?|كوكيز|كوكي)',
  '(?:משתמש|שימוש|עושים|עושה)[^.!?]{0,40}(?:עוגיות|קוקי|cookies?)|ק(?:ו)?בצי (?:ה-?)?(?:עוגיות|cookies?)|מדיניות (?:ה-?)?(?:עוגיות|קוקיז|cookies?)',
  '(?:कुकी|cookies?)[^.!?।]{0,40}(?:उपयोग|इस्तेमाल|प्रयोग)|कुकी\\S* (?:नीति|सेटिंग)',
  // Vietnamese, Indonesian, Malay
  '(?:sử dụng|dùng|lưu)[^.!?]{0,30}cookies?|cookies?[^.!?]{0,20}(?:để|nhằm)|chính sách cookie',
  '(?:menggunakan|memakai|penggunaan|menyimpan)[^.!?]{0,30}(?:cookies?|kuki)|(?:cookies?|kuki)[^.!?]{0,20}(?:untuk|agar)|kebijakan (?:cookies?|kuki)',
];

/** Phrases that only banners use: these count twice. */
const plainPhrases = [
  '\\b(?:we|site|website|page) uses? (?:only )?(?:essential |necessary |functional )?cookies(?: ?[.,:;–—(-]| (?:to|and|for|on|in order|so that|that)\\b)',
  '(?:wir (?:verwenden|nutzen|setzen)|(?:website|webseite|seite) (?:verwendet|nutzt|benutzt)) cookies\\b',
  '(?:nous utilisons|site utilise) des cookies\\b|(?:usamos|utilizamos|utiliza|usa) cookies\\b|(?:utilizza|utilizziamo|usiamo|usa) (?:i )?cookie\\b|(?:wij gebruiken|we gebruiken|site gebruikt) cookies\\b',
];

/** Phrases about tracking, without the word cookie. */
const trackingPhrases = [
  '(?:value|respect|care about|protect|about|regarding) your (?:data )?privacy|your privacy (?:choices|settings|matters|rights|preferences|is important)|privacy (?:choices|settings|preferences)\\b',
  '(?:store|storing|access|accessing|storage)[^.!?]{0,20}(?:information|data) on (?:a|your) device',
  '\\b(?:our|and|with|\\d+) (?:(?:advertising|trusted|data|tcf|third-party|\\d+) )*partners\\b',
  '\\b(?:personali[sz]ed|targeted) (?:ads|advertising|content)|tracking technolog',
  'do not sell|gdpr|ccpa|rgpd|dsgvo|lgpd|tcf\\b',
  'datenschutz-?einstellung|privatsphäre|unsere (?:\\d+ )?partner|auf (?:einem|ihrem) gerät|werbung und tracking',
  'vie privée|nos (?:\\d+ )?partenaires|sur (?:un|votre) (?:terminal|appareil)',
  'su privacidad|tu privacidad|nuestros (?:\\d+ )?socios|sua privacidade|nossos parceiros',
  'tua privacy|vostra privacy|nostri (?:\\d+ )?partner',
  'uw privacy|je privacy|jouw privacy|onze (?:\\d+ )?partners',
  'twoj\\S* prywatnoś|nasi partnerzy|våra partner|vores partnere|våre partnere|naši partneři',
  'ваш\\S* конфиденциальност|наши партн[её]ры|お客様のプライバシー|您的隐私|您的隱私|개인정보 보호',
];

/** Phrases that other dialogs use, too: these only add to the ones above. */
const consentPhrases = [
  '\\bpersonal (?:data|information)\\b|personenbezogene|données (?:personnelles|à caractère)|datos personales|dados pessoais|dati personali|persoonsgegevens|dan\\w+ osobow|personuppgifter|personoplysninger|personopplysninger|osobní(?:ch)? údaj|персональн\\S* дан|個人情報|个人信息|個人資料',
  '\\bconsent\\b|einwillig|consentement|consentimiento|consentimento|consenso|toestemming|zgod[ęay]\\b|samtyck|souhlas|соглас',
];

/** Labels of buttons, the most significant first. */
const rejectLabels =
  "reject|declin|refus|\\bdeny|disagree|(?:only|just) (?:the )?(?:necessary|essential|required)|(?:necessary|essential|required) (?:cookies )?only|essential cookies$|without (?:accept|agree|consent)|(?:do not|don't) (?:sell|consent|accept|allow)|opt[- ]?out|ablehn|verweiger|nur (?:notwendige|erforderliche|essenzielle|technisch)|nicht zustimmen|ohne (?:einwilligung|zustimmung)|refuser|continuer sans|rechaz|denegar|s[óo]lo (?:las )?(?:necesari|esencial)|rifiut|\\bnega|solo (?:i )?(?:necessari|tecnici|essenziali)|rejeit|recusar|weiger|afwijz|alleen (?:noodzakelijk|functione)|odrzu|nie zgadzam|tylko niezbędne|avvisa|\\bneka|endast nödvändig|bara nödvändig|afvis|kun nødvendig|avslå|avvis|hylkä|vain välttämättöm|odmít|odmiet|pouze nezbytné|elutasít|respinge|απόρριψη|απορρίπτ|reddet|отклон|отказ|только необходим|відхил|拒否|拒绝|拒絕|거부|僅(?:接受)?必要|仅(?:接受)?必要|رفض|أرفض|غير موافق|דח(?:ה|יי)|לא מסכים|סירוב|סרב|अस्वीकार|असहमत|मना कर|từ chối|không đồng ý|tolak|tidak setuju|hanya (?:yang )?(?:diperlukan|penting)";
const acceptLabels =
  "accept|agree|allow|\\bconsent|akzeptier|zustimm|einverstanden|erlaub|zulass|annehmen|j'accepte|autoriser|acept|permit|consentir|accett|acconsent|aceit|concord|akkoord|toestaan|akcept|zgadzam|zgoda|godkänn|tillåt|tillad|godta|godkjenn|hyväksy|\\bsalli|přijm|prijať|souhlas|súhlas|elfogad|sunt de acord|αποδ[οέ]χ|συμφων|kabul|onayl|принять|принима|соглас|прийняти|погодж|同意|承諾|許可|接受|允许|允許|동의|허용|수락|موافق|أوافق|قبول|اقبل|أقبل|السماح|מסכים|מסכימ|מאשר|אישור|אשר|קבל|स्वीकार|सहमत|अनुमति|chấp nhận|đồng ý|cho phép|terima(?! kasih)|setuju|izinkan|benarkan";
const settingsLabels =
  'settings|preferences|customi[sz]e|manage|more options|show purposes|cookie choices|privacy choices|einstellungen|anpassen|verwalten|auswahl|param[èé]tr|personnaliser|gérer|configur|personaliz|opciones|impostazioni|gestisci|instellingen|voorkeuren|beheer|ustawienia|dostosuj|inställningar|indstillinger|innstillinger|tilpas|asetukset|nastavení|přizpůsobit|beállítás|setări|ρυθμίσεις|ayar|настро|налашт|設定|设置|設置|自定义|설정|إعدادات|الإعدادات|تخصيص|הגדרות|ניהול|התאמה|सेटिंग|प्रबंधित|cài đặt|t[uù][yỳ] chỉnh|quản lý|pengaturan|setelan|kelola|sesuaikan';
const dismissLabels =
  "^(?:ok(?:ay)?|got it|understood|i understand|close|dismiss|continue|x|×|✕|✖|alles klar|verstanden|schlie(?:ß|ss)en|weiter|compris|j'ai compris|fermer|d'accord|continuer|entendido|cerrar|vale|de acuerdo|ho capito|chiudi|capito|entendi|fechar|begrepen|sluiten|oké|rozumiem|zamknij|jag förstår|stäng|forstået|luk|lukk|jeg forstår|selvä|sulje|rozumím|zavřít|értem|rendben|bezár|am înțeles|închide|tamam|kapat|понятно|ок|закрыть|зрозуміло|закрити|閉じる|关闭|關閉|닫기|확인|確認|了解|知道了|حسن(?:ا|ًا|اً)|فهمت|إغلاق|הבנתי|סגור|סגירה|ठीक है|समझ गया|समझ गए|बंद करें|đã hiểu|tôi (?:đã )?hiểu|đóng|mengerti|saya mengerti|tutup|oke)[.!]?$";

/** A dialog with these has another purpose, even if it mentions cookies. */
const otherBusiness =
  '\\b(?:are you (?:over|of|at least)|legal (?:drinking )?age|over 18|over 21|18 (?:years|or older|\\+)|21 (?:years|or older|\\+)|date of birth|age verification|volljährig|über 18|plus de 18|mayor de (?:edad|18)|18 anni|sei maggiorenne)';
const otherButtons =
  '^(?:sign ?in|log ?in|sign ?up|register|join|create (?:an )?account|subscribe|start (?:free )?trial|check ?out|add to (?:cart|bag|basket)|play|buy|pay|download|enter(?: site)?|yes,? i am|continue with \\w+|anmelden|einloggen|registrieren|abonnieren|jetzt abonnieren|zur kasse|kaufen|se connecter|s.inscrire|s.abonner|acheter|iniciar sesión|suscrib|accedi|iscriviti|abbonati|inloggen|abonneren)';

/** Ids and class names of banners. */
const bannerNames =
  '(?:cookie|consent|gdpr|dsgvo|rgpd|ccpa|lgpd|privacy)s?[-_]?(?:\\w{0,12}[-_])?(?:banner|bar|notice|notification|popup|pop-up|modal|dialog|overlay|wall|message|alert|layer|box|panel|disclaimer|consent|prompt|toast|hint|hinweis|law|manager|wrapper|container|root|bandeau|sdk|window)|(?:banner|bar|notice|popup|modal|dialog|overlay|bandeau|accept)[-_]?(?:cookie|consent|gdpr|rgpd)|^(?:cookies?|consent|gdpr|cmp)$|\\bcmp[-_](?:container|wrapper|banner|modal|root)';

export const consentWords = {
  cookiePhrases,
  plainPhrases,
  trackingPhrases,
  consentPhrases,
  rejectLabels,
  acceptLabels,
  settingsLabels,
  dismissLabels,
  otherBusiness,
  otherButtons,
  bannerNames,
};
