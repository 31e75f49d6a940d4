// Is a bot check or a block page shown instead of the content? The evidence is a vendor's mark on a page with little else.
// Words alone only count together with a second sign. The words are judged here and not in the page, where the patterns
// would have to be compiled for every picture.
import type { WallSigns } from './in-page-types.ts';

type VendorWords = readonly [vendor: string, words: RegExp];

/** Titles and texts that identify a check by themselves, on a page with little else. */
const ownTitles: readonly VendorWords[] = [
  ['Cloudflare', /^attention required! \| cloudflare|used cloudflare to restrict access$/i],
  ['PerimeterX', /^access to this page has been denied/i],
  ['Imperva', /^pardon our interruption/i],
  ['Sucuri', /^sucuri website firewall/i],
  ['Vercel', /^vercel security checkpoint/i],
  ['Wordfence', /^your access to this site has been limited by the site owner/i],
];
const ownTexts: readonly VendorWords[] = [
  ['Akamai', /access denied[\s\S]{0,400}reference\s*#\s*\d+\.[0-9a-f]+\.\d+\.[0-9a-f]+/i],
  ['F5', /requested url was rejected[\s\S]{0,200}support id/i],
  ['Imperva', /incapsula incident id/i],
];

/** Three kinds of wording. Two kinds, or one and another sign, make a wall. */
const asksForAHuman =
  /\b(?:verify|verifying|confirm|prove|make sure|ensure|check(?:ing)?)\b[^.!?]{0,30}\b(?:you(?:'|’)?re|you are|you)\b[^.!?]{0,12}\b(?:human|robot|bot|real person|person)\b|\bare you (?:a )?(?:human|robot|bot)\b|\bnot a (?:ro)?bot\b|robot or human|human verification|press (?:&|and) hold|real person|kein (?:ro)?bot\b|ob (?:du|sie) ein (?:ro)?bot|ein mensch (?:bist|sind)|(?:vous|tu) (?:êtes|es) (?:bien )?(?:un )?humain|pas un robot|(?:eres|es|soy) (?:un )?humano|una persona y no un robot|no (?:eres|es|soy|sos) un robot|(?:é|sou) (?:um )?(?:ser )?humano|não (?:é|sou) um robô|(?:sei|essere) (?:un )?(?:essere )?umano|non (?:sei|sono) un robot|geen robot|(?:een )?mens bent|jesteś człowiekiem|nie jesteś robotem|nejste robot|robot olmadığınız|insan olduğunuz|inte en robot|не робот|вы человек|人間であること|ロボットではあ?りません|人机验证|完成(?:下方|安全)?验证|不是机器人|拖动.{0,8}滑块|로봇이 아|사람인지 확인|لست روبوت|रोबोट नहीं|không phải (?:là )?(?:người máy|robot)|bukan robot/iu;
const checksTheBrowser =
  /checking (?:if (?:the )?(?:site|your) connection|(?:the )?(?:site )?connection security|your browser)|verifying your (?:browser|connection)|verifying that the connection is secure|security of your connection|request is being verified|enable javascript and (?:cookies|disable)|enable js and disable any ad blocker|ddos protection by|security (?:check(?:point)?|verification)\b|\bbot (?:detection|check|manager|protection)\b|complete the (?:security|verification|captcha)|solve (?:this|the) (?:captcha|puzzle|challenge)|(?:überprüft|prüfen|überprüfen)[^.!?]{0,60}(?:browser|verbindung)|vérifi\w+ [^.!?]{0,30}(?:navigateur|connexion)|(?:comprobando|verificando) (?:su|tu|el|la) (?:navegador|conexión)|verifica(?:ção|ndo)[^.!?]{0,20}(?:segurança|navegador)|controll\w+ (?:il|del) browser|проверк\S+ (?:вашего )?браузера|安全验证|检测.{0,8}(?:环境|浏览器)|セキュリティ(?:チェック|の確認)|보안 확인/iu;
const turnsAway =
  /you(?:'|’)?(?:ve| have) been blocked|you (?:are|were) (?:being )?(?:blocked|rate limited)|has banned you|(?:unusual|abnormal|suspicious|automated) (?:traffic|activity|requests|queries)|using automation tools|made us think (?:that )?you (?:were|are) a (?:ro)?bot|bad bot access|blocked by network security|error\s*10(?:0[5-9]|1[0-59]|20)\b|访问过于频繁|请求(?:异常|过于频繁)|похож\S* на автоматическ|trafic inhabituel|tráfico inusual|ungewöhnliche[nr]? (?:datenverkehr|aktivität)/iu;

/** Without a mark, only short pages count: a longer text is probably about bot checks. */
const mostWords = { refused: 1000, answered: 500 };

const kindsIn = (words: string): number =>
  [asksForAHuman, checksTheBrowser, turnsAway].filter((kind) => kind.test(words)).length;

/** The vendor of the bot check; empty if there is none. `status` is the document's. */
export function wallOf(signs: WallSigns | undefined, status: number): string {
  if (!signs) return '';
  const { ownMarkOf, sharedMarkOf, title, headline, text, length, links, noIndex } = signs;
  if (ownMarkOf !== '') return ownMarkOf;
  const said = ownTitles.find(([, words]) => words.test(title)) ?? ownTexts.find(([, words]) => words.test(text));
  if (said) return said[0];
  const kinds = kindsIn(`${title}\n${text}`);
  if (kinds === 0) return '';
  if (sharedMarkOf !== '') return sharedMarkOf;
  const isRefusal = status >= 400 || status === 202;
  // A check names itself in its headline and has hardly any links; a page that only mentions checks has more.
  const isAboutIt = kindsIn(`${title}\n${headline}`) > 0 && links <= 3;
  const agrees = isRefusal || (isAboutIt && (kinds > 1 || noIndex));
  return agrees && length <= mostWords[isRefusal ? 'refused' : 'answered'] ? 'unknown vendor' : '';
}
